import type { JsonRow } from '../../../../platform/archives/json-rows';
import { numberOf, rowOf, rowsOf, textOf } from '../converting/loose';
import {
  attachmentText,
  channelLink,
  codeBlock,
  inlineCode,
  joined,
  link,
  literal,
  moment,
} from '../converting/markdown';
import { unicodeEmoji } from '../converting/converted-people';
import { fromMrkdwn, type SlackNames } from './slack-text';

/** Maximum number of parts read per message; Slack allows fewer. */
const MAX_PARTS = 1000;

/** Block types without text. */
const WITHOUT_TEXT = new Set(['actions', 'input', 'call', 'file', 'share_shortcut']);

/** Converts blocks and legacy attachments to Markdown. */
export class SlackBlocks {
  /** @param unknown called with each unknown type */
  constructor(
    private readonly names: SlackNames,
    private readonly unknown: (kind: string) => void,
  ) {}

  blocks(holder: JsonRow): string {
    return joined(
      rowsOf(holder, 'blocks')
        .slice(0, MAX_PARTS)
        .map((block) => this.block(block)),
    );
  }

  /** Converts attachments, except automatic link previews. */
  attachments(message: JsonRow): string {
    const parts = rowsOf(message, 'attachments').filter(
      (part) => textOf(part, 'from_url') === '' || part.is_share === true || part.is_msg_unfurl === true,
    );
    return joined(
      parts
        .slice(0, MAX_PARTS)
        .map((part) => attachmentText(part, (text) => fromMrkdwn(text, this.names), this.blocks(part))),
    );
  }

  private block(block: JsonRow): string {
    const type = textOf(block, 'type');
    switch (type) {
      case 'rich_text':
        return joined(rowsOf(block, 'elements').map((part) => this.richPart(part)));
      case 'section': {
        const fields = rowsOf(block, 'fields').map((field) => this.text(field));
        return joined([
          this.text(rowOf(block, 'text')),
          joined(fields, '\n'),
          this.image(rowOf(block, 'accessory')),
        ]);
      }
      case 'header':
        return this.heading(textOf(rowOf(block, 'text'), 'text'));
      case 'context':
        return joined(
          rowsOf(block, 'elements').map((each) =>
            textOf(each, 'type') === 'image' ? this.image(each) : this.text(each),
          ),
          ' ',
        );
      case 'divider':
        return '----';
      case 'image':
        return this.image(block);
      case 'markdown':
        return textOf(block, 'text');
      case 'video': {
        const title = textOf(rowOf(block, 'title'), 'text');
        return link(title, textOf(block, 'title_url') || textOf(block, 'video_url'));
      }
      case 'table':
        return this.table(block);
    }
    if (!WITHOUT_TEXT.has(type)) this.unknown(type);
    return '';
  }

  /** Converts a text object, either mrkdwn or plain text. */
  private text(text: JsonRow | null): string {
    const content = textOf(text, 'text');
    return textOf(text, 'type') === 'plain_text' ? literal(content) : fromMrkdwn(content, this.names);
  }

  private heading(text: string): string {
    return text.trim() === '' ? '' : `## ${literal(text.replace(/\s+/g, ' ').trim())}`;
  }

  private image(image: JsonRow | null): string {
    const url = textOf(image, 'image_url');
    if (url === '') return '';
    return link(textOf(rowOf(image, 'title'), 'text') || textOf(image, 'alt_text') || 'image', url);
  }

  private table(block: JsonRow): string {
    const rows = Array.isArray(block.rows) ? (block.rows as unknown[]).slice(0, MAX_PARTS) : [];
    const lines = rows.map((row) => {
      const cells = rowsOf({ row }, 'row').map((cell) =>
        textOf(cell, 'type') === 'rich_text' ? this.block(cell) : literal(textOf(cell, 'text')),
      );
      return `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '&#124;')).join(' | ')} |`;
    });
    const [head] = lines;
    if (head === undefined) return '';
    const columns = rowsOf({ row: rows[0] }, 'row').length;
    return [head, `|${' --- |'.repeat(columns)}`, ...lines.slice(1)].join('\n');
  }

  private richPart(part: JsonRow): string {
    const elements = rowsOf(part, 'elements');
    const type = textOf(part, 'type');
    switch (type) {
      case 'rich_text_section':
        return this.line(elements);
      case 'rich_text_preformatted':
        return codeBlock(elements.map((each) => textOf(each, 'text') || textOf(each, 'url')).join('')).trim();
      case 'rich_text_quote':
        return this.line(elements)
          .split('\n')
          .map((line) => `> ${line}`)
          .join('\n');
      case 'rich_text_list':
        return this.list(part, elements);
    }
    this.unknown(type);
    return '';
  }

  private list(part: JsonRow, items: readonly JsonRow[]): string {
    const indent = '  '.repeat(Math.min(Math.max(numberOf(part, 'indent') ?? 0, 0), 8));
    const first = (numberOf(part, 'offset') ?? 0) + 1;
    const isOrdered = textOf(part, 'style') === 'ordered';
    return items
      .map((item, at) => {
        const mark = isOrdered ? `${first + at}.` : '*';
        return `${indent}${mark} ${this.line(rowsOf(item, 'elements')).replace(/\s*\n\s*/g, ' ')}`;
      })
      .join('\n');
  }

  /** Converts inline elements. Merges neighbors of one style, as adjacent Markdown delimiters would be misread. */
  private line(elements: readonly JsonRow[]): string {
    let result = '';
    let pending = '';
    let pendingStyle = '';
    const finish = () => {
      result += styled(pending, pendingStyle);
      pending = '';
    };
    for (const element of elements.slice(0, MAX_PARTS * 10)) {
      const style = textOf(element, 'type') === 'text' ? styleOf(element) : '';
      const isText = textOf(element, 'type') === 'text';
      if (!isText || style !== pendingStyle) finish();
      if (isText) {
        pending += textOf(element, 'text');
        pendingStyle = style;
      } else result += this.leaf(element);
    }
    finish();
    return result;
  }

  private leaf(element: JsonRow): string {
    const type = textOf(element, 'type');
    switch (type) {
      case 'link':
        return link(textOf(element, 'text'), textOf(element, 'url'));
      case 'user': {
        const id = textOf(element, 'user_id');
        return this.names.person(id)?.mention ?? literal(`@${id}`);
      }
      case 'usergroup':
        return literal(`@${textOf(element, 'usergroup_id')}`);
      case 'channel': {
        const name = this.names.channel(textOf(element, 'channel_id'));
        return name === null ? literal(`#${textOf(element, 'channel_id')}`) : channelLink(name);
      }
      case 'broadcast':
        return '@**all**';
      case 'emoji':
        return this.emoji(element);
      case 'date':
        return moment(numberOf(element, 'timestamp') ?? 0, textOf(element, 'fallback'));
      case 'color':
        return literal(textOf(element, 'value'));
    }
    this.unknown(type);
    return literal(textOf(element, 'text'));
  }

  private emoji(element: JsonRow): string {
    const name = textOf(element, 'name');
    const known = this.names.emoji(name);
    if (known !== null) return known;
    const code = textOf(element, 'unicode')
      .split('-')
      .filter((part) => part !== 'fe0f');
    const emoji = unicodeEmoji(code.join('-'));
    return emoji === null ? literal(`:${name}:`) : `:${emoji.emoji_name}:`;
  }
}

function styleOf(element: JsonRow): string {
  const style = rowOf(element, 'style');
  return ['code', 'bold', 'italic', 'strike'].filter((each) => style?.[each] === true).join(' ');
}

/** Applies a style per line, with delimiters next to words, as Markdown requires. */
function styled(text: string, style: string): string {
  if (style === '') return literal(text);
  const marks = { bold: '**', italic: '*', strike: '~~' };
  return text
    .split('\n')
    .map((line) => {
      const core = line.trim();
      if (core === '') return line;
      let shown = style.includes('code') ? inlineCode(core) : literal(core);
      for (const [name, mark] of Object.entries(marks))
        if (style.includes(name)) shown = `${mark}${shown}${mark}`;
      const start = line.indexOf(core);
      return line.slice(0, start) + shown + line.slice(start + core.length);
    })
    .join('\n');
}
