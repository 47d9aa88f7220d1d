import { canonicalName, codeOf } from '../../../platform/emoji/emoji';
import type { JsonRow } from '../../../platform/archives/json-rows';
import type { ConvertedArchive } from '../converting/converted-archive';
import type { FileIndex } from '../converting/file-index';
import slackNames from './emoji-names.json';

/** Codes of the names that mean another emoji here, or none. */
const codes = new Map(slackNames as [string, string][]);

/** Endings of pictures, in the order in which they are looked for. */
const ENDINGS = ['png', 'gif', 'jpg', 'jpeg', 'webp'];

/** Longest chain of names that stand for another. */
const MAX_ALIASES = 10;

/** An emoji as reactions name it in archives. */
export interface ReactionEmoji {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
}

/** What Slack's names of emoji mean here. */
export class SlackEmoji {
  private readonly own = new Map<string, { id: number; name: string }>();
  private readonly aliases = new Map<string, string>();

  constructor(
    private readonly builder: ConvertedArchive,
    private readonly pictures: FileIndex,
  ) {}

  /** Takes the workspace's own emoji. @param list names, each with an address or with `alias:` and another name */
  take(list: JsonRow): void {
    for (const [name, value] of Object.entries(list)) {
      if (typeof value !== 'string') continue;
      if (value.startsWith('alias:')) this.aliases.set(name, value.slice('alias:'.length));
      else if (!this.takePicture(name))
        this.builder.note('left out', 'emoji', name, 'Its picture is not among the files.');
    }
    for (const name of this.aliases.keys()) {
      if (this.find(name) === null)
        this.builder.note('left out', 'emoji', name, 'It stands for an emoji that is not there.');
    }
  }

  /** Takes every picture of the folder as an emoji of its name. */
  takePictures(): void {
    for (const path of this.pictures.paths) {
      const [, name, ending] = /([^/]+)\.([a-z]+)$/i.exec(path) ?? [];
      if (name !== undefined && ENDINGS.includes(ending?.toLowerCase() ?? '')) this.takePicture(name);
    }
  }

  /** The emoji that a name means; null for one that nobody knows. Skin tones are left out. */
  find(given: string): ReactionEmoji | null {
    let [name = ''] = given.split('::');
    for (let steps = 0; this.aliases.has(name) && !this.own.has(name); steps++) {
      if (steps === MAX_ALIASES) return null;
      name = this.aliases.get(name) ?? '';
    }
    const own = this.own.get(name);
    if (own) return { emoji_name: own.name, emoji_code: String(own.id), reaction_type: 'realm_emoji' };
    const code = codes.get(name) ?? codeOf(name);
    return code === undefined ? null : unicodeEmoji(code);
  }

  private takePicture(name: string): boolean {
    if (this.own.has(name)) return true;
    const place = ENDINGS.map((ending) => this.pictures.byName(`${name}.${ending}`)).find((each) => each);
    if (!place) return false;
    const id = this.own.size + 1;
    this.own.set(name, { id, name });
    this.builder.add('zerver_realmemoji', { id, source_id: name, name, file_name: name, author: null });
    this.builder.record('emoji', { path: name, ...{ file_name: name } }, place);
    return true;
  }
}

/** A standard emoji by its code; null for one that is not known here. */
export function unicodeEmoji(code: string): ReactionEmoji | null {
  const name = canonicalName(code);
  return name === undefined ? null : { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' };
}
