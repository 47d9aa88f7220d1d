import { groupBy } from '../../../../platform/collections';
import { inEach, type PageLanguage } from '../../../../platform/pages/languages';
import { Html, htmlTag, markup } from '../../../../platform/pages/web-page';
import type { ArchiveBuilder } from '../archive/archive-builder';
import type { ExportContext } from '../archive/export-context';
import type { RawRow } from '../archive/row-files';
import type { SeenChannels } from './seen-channels';
import * as de from './words.de';
import * as en from './words';

const wordsIn = inEach<typeof en>({ en, de });

/** Messages per page: as many as browsers can display at once. */
const MESSAGES_A_PAGE = 1_000;

/** Maximum number of messages in memory at once. */
const STEP = 200;

/** Pages load no resources and run no scripts. */
const POLICY = "default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'unsafe-inline'";

const STYLE = `
:root{color-scheme:light dark}
body{max-width:48rem;margin:0 auto;padding:1.5rem 1rem;font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.5rem}h2{margin:2rem 0 .5rem;font-size:1.1rem}
table{border-collapse:collapse}th,td{padding:.15rem 0;padding-inline-end:.8rem;text-align:start;vertical-align:top;overflow-wrap:anywhere}
article{margin:1rem 0;padding-top:.5rem;border-top:1px solid #8886}
article p{margin:.3rem 0}time{color:#888}img,video{max-width:100%;max-height:20rem}pre{overflow:auto}
blockquote{margin:.3rem 0;padding-inline-start:.8rem;border-inline-start:3px solid #8886}
`;

/** The person whose data the pages show. */
export interface PageOwner {
  readonly account: RawRow;
  /** The server's URL, for links to what the archive does not contain. */
  readonly site: string;
  readonly channels: SeenChannels;
  /** Language of the pages. */
  readonly language: PageLanguage;
}

/** A channel or conversation with messages in the archive. */
interface Place {
  readonly name: string;
  /** File name of the first page, without its extension. */
  readonly file: string;
  readonly condition: string;
  readonly values: readonly number[];
  readonly count: number;
  /** Whether the person may see the topics. */
  readonly hasTopics: boolean;
}

/** Adds the same data as HTML pages: an overview, and pages for each channel and conversation. */
export async function addPages(
  context: ExportContext,
  archive: ArchiveBuilder,
  owner: PageOwner,
): Promise<void> {
  const pages = new PersonPages(context, owner, await ownUploads(context));
  const places = [...(await channelPlaces(context, owner)), ...(await conversationPlaces(context, owner))];
  for (const place of places) {
    for (let number = 1; (number - 1) * MESSAGES_A_PAGE < place.count; number++)
      await archive.page(`pages/${fileOf(place, number)}`, pages.messages(place, number));
  }
  await archive.page('index.html', pages.overview(places));
}

/** Paths of uploads in the archive. */
async function ownUploads({ db, scope }: ExportContext): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ path: string }>('SELECT path FROM attachment WHERE owner_id = ?', [
    scope.personId ?? 0,
  ]);
  return new Set(rows.map(({ path }) => path));
}

/** Channels with messages of the person. */
async function channelPlaces(
  { db }: ExportContext,
  { account, channels, language }: PageOwner,
): Promise<Place[]> {
  const rows = await db.query<{ id: number; name: string; is_private: boolean; count: number }>(
    `SELECT c.id, c.name, c.is_private, COUNT(*) AS count FROM message m JOIN channel c ON c.id = m.channel_id
     WHERE m.sender_id = ? GROUP BY c.id, c.name, c.is_private ORDER BY c.id`,
    [Number(account.id)],
  );
  const { privateChannel, unknownChannel } = wordsIn(language).place;
  return rows.map((row) => ({
    name: channels.has(row.id)
      ? `#${row.name}`
      : `${row.is_private ? privateChannel : unknownChannel} ${row.id}`,
    file: `channel-${row.id}`,
    condition: 'm.channel_id = ? AND m.sender_id = ?',
    values: [row.id, Number(account.id)],
    count: Number(row.count),
    hasTopics: channels.reads(row.id),
  }));
}

/** Direct conversations with messages. */
async function conversationPlaces({ db }: ExportContext, { account, language }: PageOwner): Promise<Place[]> {
  const ownerId = Number(account.id);
  const counts = await db.query<{ id: number; count: number }>(
    `SELECT m.conversation_id AS id, COUNT(*) AS count
     FROM direct_conversation_member d JOIN message m ON m.conversation_id = d.conversation_id
     WHERE d.user_id = ? GROUP BY m.conversation_id ORDER BY m.conversation_id`,
    [ownerId],
  );
  const others = await db.query<{ id: number; name: string }>(
    `SELECT d.conversation_id AS id, a.full_name AS name
     FROM direct_conversation_member mine JOIN direct_conversation_member d ON d.conversation_id = mine.conversation_id
     JOIN account a ON a.id = d.user_id WHERE mine.user_id = ? AND d.user_id <> ? ORDER BY a.full_name, a.id`,
    [ownerId, ownerId],
  );
  const names = groupBy(others, ({ id }) => id);
  return counts.map(({ id, count }) => ({
    name: (names.get(id) ?? []).map(({ name }) => name).join(', ') || wordsIn(language).place.yourself,
    file: `direct-${id}`,
    condition: 'm.conversation_id = ?',
    values: [id],
    count: Number(count),
    hasTopics: false,
  }));
}

function fileOf({ file }: Place, number: number): string {
  return number === 1 ? `${file}.html` : `${file}-${number}.html`;
}

/** Renders the pages in parts. */
class PersonPages {
  private last = 0;

  constructor(
    private readonly context: ExportContext,
    private readonly owner: PageOwner,
    private readonly uploads: ReadonlySet<string>,
  ) {}

  async *overview(places: readonly Place[]): AsyncIterable<string> {
    const { account, language } = this.owner;
    const { overview: words, missing, leftOut } = wordsIn(language);
    const { full_name: name, delivery_email: address, date_joined: joined } = account;
    yield head(words.title(String(name)), language);
    yield markup`<p>${words.about}</p>
      <h2>${words.profile}</h2><table>
      ${row(words.name, name)}${row(words.email, address)}${row(words.joined, time(Number(joined)))}`.text;
    const fields = await this.context.db.query<{ name: string; value: string }>(
      `SELECT f.name, v.value FROM custom_profile_value v JOIN custom_profile_field f ON f.id = v.field_id
       WHERE v.user_id = ? ORDER BY f.position`,
      [Number(account.id)],
    );
    for (const field of fields) yield row(field.name, field.value).text;
    yield markup`</table><h2>${words.subscriptions}</h2><ul>`.text;
    const channels = await this.context.db.query<{ name: string }>(
      `SELECT c.name FROM subscription s JOIN channel c ON c.id = s.channel_id
       WHERE s.user_id = ? AND s.is_active = ? ORDER BY c.name`,
      [Number(account.id), true],
    );
    for (const channel of channels) yield markup`<li>#${channel.name}</li>`.text;
    yield markup`</ul><h2>${words.messages}</h2><ul>`.text;
    for (const place of places)
      yield markup`<li><a href="pages/${fileOf(place, 1)}">${place.name}</a> (${place.count})</li>`.text;
    yield markup`</ul><h2>${words.missing}</h2><ul>`.text;
    for (const what of [...Object.values(missing), ...Object.values(leftOut)])
      yield markup`<li>${what}</li>`.text;
    yield `</ul>${END}`;
  }

  /** Call this for the pages of a place in order. */
  async *messages(place: Place, number: number): AsyncIterable<string> {
    if (number === 1) this.last = 0;
    const { language } = this.owner;
    const words = wordsIn(language).place;
    yield head(number === 1 ? place.name : `${place.name} (${number})`, language);
    yield markup`<p><a href="../index.html">${words.overview}</a></p>`.text;
    let topic: string | null = null;
    let left = MESSAGES_A_PAGE;
    while (left > 0) {
      const rows = await this.next(place, Math.min(left, STEP));
      left -= rows.length;
      for (const message of rows) {
        const named = place.hasTopics ? (message.topic_name ?? null) : null;
        if (named !== null && named !== topic)
          yield markup`<h2>${String(named) || words.generalChat}</h2>`.text;
        topic = named === null ? null : String(named);
        yield this.message(message);
      }
      if (rows.length < STEP) break;
    }
    if (number * MESSAGES_A_PAGE < place.count)
      yield markup`<p><a href="${fileOf(place, number + 1)}">${words.next}</a></p>`.text;
    yield END;
  }

  private async next(place: Place, count: number): Promise<RawRow[]> {
    const rows = await this.context.db.query<RawRow>(
      `SELECT m.id, m.sent_at, m.rendered_content, t.name AS topic_name, a.full_name
       FROM message m JOIN account a ON a.id = m.sender_id LEFT JOIN topic t ON t.id = m.topic_id
       WHERE m.id > ? AND ${place.condition} ORDER BY m.id LIMIT ?`,
      [this.last, ...place.values, count],
    );
    this.last = Number(rows.at(-1)?.id ?? this.last);
    return rows;
  }

  private message({ full_name: sender, sent_at: at, rendered_content: html }: RawRow): string {
    return markup`<article><b>${String(sender)}</b> <time>${time(Number(at))}</time>
      ${new Html(this.local(String(html)))}</article>\n`.text;
  }

  /** Points links to the person's files into the archive, and others to the server. */
  private local(html: string): string {
    return html.replace(/\b(href|src)="([/#][^"]*)"/g, (_, attribute: string, target: string) => {
      const [, path = ''] = /^\/user_uploads\/(?:thumbnail\/)?(\d+\/[^/]+\/[^/]+\/[^/]+)/.exec(target) ?? [];
      const isOwn = this.uploads.has(decoded(path));
      const prefix = target.startsWith('#') ? `${this.owner.site}/` : this.owner.site;
      return isOwn ? `${attribute}="../uploads/${path}"` : `${attribute}="${prefix}${target}"`;
    });
  }
}

const END = '</body></html>\n';

function head(title: string, language: PageLanguage): string {
  return markup`<!doctype html>${htmlTag(language)}<head><meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
    <meta name="viewport" content="width=device-width,initial-scale=1" />
    <title>${title}</title>${new Html(`<style>${STYLE}</style>`)}</head><body><h1>${title}</h1>\n`.text;
}

function row(name: string, value: RawRow[string] | undefined): Html {
  return markup`<tr><th>${name}</th><td>${String(value ?? '')}</td></tr>`;
}

/** A format that spreadsheets understand, too. */
function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 16);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
