import { channelLink, link } from '../converting/markdown';

/** Resolves the references in Mattermost's texts. */
export interface MattermostNames {
  /** Markdown that mentions a user; null if unknown. */
  mention(username: string): string | null;
  /** The name of a channel by its handle; null if unknown. */
  channel(handle: string): string | null;
  /** Markdown of an emoji; null if unknown. */
  emoji(name: string): string | null;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const FORMULA = /^(?:latex|tex)$/i;

// Private-use characters stand for finished parts during the rest of the conversion.
const MADE = /\ue000(\d+)\ue001/g;
const PRIVATE = /[\ue000\ue001]/g;

const INLINE_CODE = /``(?:[^`\n]|`(?!`))+``|`[^`\n]+`/g;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
const LINK =
  /!?\[([^[\]\n]*)\]\([ \t]*<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:[ \t]+"[^"\n]*")?[ \t]*\)/g;
const ADDRESS = /\bhttps?:\/\/[^\s<>]+/g;
const MENTION = /(?<![\p{L}\p{N}@/.+-])@([a-z0-9][a-z0-9._-]{0,63})/giu;
const CHANNEL = /(?<![\p{L}\p{N}_~])~([a-z0-9][a-z0-9._-]{0,63})/giu;
const EMOJI = /:([\p{L}\p{N}_+'-]{1,100}):/gu;
const EMPHASIS = [
  [/(?<![\p{L}\p{N}_])__(?=[^\s_])([^_\n]*?[^\s_])__(?![\p{L}\p{N}_])/gu, '**'],
  [/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]*?[^\s_])_(?![\p{L}\p{N}_])/gu, '*'],
] as const;

const EVERYBODY = new Set(['all', 'channel', 'here']);

/** Converts Mattermost's Markdown, which differs in references, emphasis and a few extensions. Code is unchanged. */
export function fromMattermost(text: string, names: MattermostNames): string {
  let fence: string | null = null;
  const lines = text
    .replace(PRIVATE, '')
    .split(/\r\n?|\n/)
    .map((line) => {
      const [, mark, language = ''] = FENCE.exec(line) ?? [];
      if (fence !== null) {
        if (mark?.startsWith(fence) && language.trim() === '') fence = null;
        return line;
      }
      if (mark === undefined) return inline(line, names);
      fence = mark;
      return FORMULA.test(language.trim()) ? `${mark}math` : line;
    });
  // A leading slash would be a command.
  return lines.join('\n').replace(/^\/(?=\w)/, '&#47;');
}

function inline(line: string, names: MattermostNames): string {
  const made: string[] = [];
  const keep = (markdown: string) => `\ue000${made.push(markdown) - 1}\ue001`;
  let text = line
    .replace(INLINE_CODE, (code) => keep(code))
    .replace(ESCAPED, (_, mark: string) => keep(`&#${mark.charCodeAt(0)};`))
    .replace(LINK, (_, label: string, url: string) => keep(link(restored(label, made), restored(url, made))))
    .replace(ADDRESS, (url) => keep(url))
    .replace(MENTION, (whole, given: string) => {
      if (EVERYBODY.has(given.toLowerCase())) return keep('@**all**');
      return resolved(whole, given, (handle) => names.mention(handle), keep);
    })
    .replace(CHANNEL, (whole, given: string) =>
      resolved(
        whole,
        given,
        (handle) => {
          const name = names.channel(handle);
          return name === null ? null : channelLink(name);
        },
        keep,
      ),
    )
    .replace(EMOJI, (whole, name: string) => {
      const emoji = names.emoji(name);
      return emoji === null ? whole : keep(emoji);
    })
    // Syntax that has a meaning only here.
    .replace(/@(?=_?\*\*)/g, '&#64;')
    .replace(/#(?=\*\*)/g, '&#35;')
    .replace(/<(?=time:)/g, '&lt;')
    .replace(/\$(?=\$)/g, '&#36;');
  for (const [pattern, mark] of EMPHASIS) text = text.replace(pattern, `${mark}$1${mark}`);
  return restored(text, made);
}

/** Resolves a handle. Handles may contain the punctuation that follows them, so shorter ones are tried as well. */
function resolved(
  whole: string,
  given: string,
  find: (handle: string) => string | null,
  keep: (markdown: string) => string,
): string {
  for (let handle = given.toLowerCase(); handle !== ''; handle = handle.slice(0, -1)) {
    const found = find(handle);
    if (found !== null) return keep(found) + given.slice(handle.length);
    if (!/[._-]$/.test(handle)) break;
  }
  return whole;
}

/** Restores finished parts, which may contain others. */
function restored(text: string, made: readonly string[]): string {
  let result = text;
  // This ends because parts contain only earlier ones.
  while (result.includes('\ue000')) result = result.replace(MADE, (_, at: string) => made[Number(at)] ?? '');
  return result;
}
