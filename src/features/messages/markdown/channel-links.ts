import type MarkdownIt from 'markdown-it';
import { isInsideLink, pushElement } from './elements';
import { narrowLink } from './narrow-links';
import type { RenderContext } from './render-context';
import { RenderState } from './render-state';

const CHANNEL_LINK = /#\*\*([^*\n]+)\*\*/y;
/** What the empty topic is called where it has to be shown. */
const EMPTY_TOPIC_NAME = 'general chat';

interface ChannelLink {
  readonly attributes: Record<string, string>;
  readonly text: string;
}

/** Plugin: `#**channel**`, `#**channel>topic**` and `#**channel>topic@message id**`. Unknown channels stay text. */
export function channelLinks(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'channel_link', (inline, silent) => {
    if (inline.src[inline.pos] !== '#' || isInsideLink(inline)) return false;
    CHANNEL_LINK.lastIndex = inline.pos;
    const match = CHANNEL_LINK.exec(inline.src);
    if (!match || CHANNEL_LINK.lastIndex > inline.posMax) return false;
    const link = resolve(match[1]!, RenderState.of(inline).context);
    if (!link) return false;
    if (!silent) pushElement(inline, 'a', link.attributes, link.text);
    inline.pos += match[0].length;
    return true;
  });
}

function resolve(reference: string, context: RenderContext): ChannelLink | undefined {
  const whole = context.channelByName(reference);
  if (whole) {
    return {
      attributes: { class: 'stream', 'data-stream-id': String(whole.id), href: narrowLink(whole) },
      text: `#${whole.name}`,
    };
  }

  const separator = reference.indexOf('>');
  const channel = separator > 0 ? context.channelByName(reference.slice(0, separator)) : undefined;
  if (!channel) return undefined;
  const rest = reference.slice(separator + 1).trim();
  const message = /^(?<topic>.*)@(?<id>\d+)$/.exec(rest)?.groups;
  const topic = message?.topic ?? rest;
  const text = `#${channel.name} > ${topic || EMPTY_TOPIC_NAME}`;
  if (message) {
    return {
      attributes: { class: 'message-link', href: narrowLink(channel, topic, message.id) },
      text: `${text} @ 💬`,
    };
  }
  return {
    attributes: {
      class: 'stream-topic',
      'data-stream-id': String(channel.id),
      href: narrowLink(channel, topic),
    },
    text,
  };
}
