import { canonicalName, codeOf } from '../../../platform/emoji/emoji';
import type { JsonRow } from '../../../platform/archives/json-rows';
import type { ConvertedArchive } from '../converting/converted-archive';
import type { FileIndex } from '../converting/file-index';
import slackNames from './emoji-names.json';

/** Codes of Slack's names that are missing or mean another emoji here. */
const codes = new Map(slackNames as [string, string][]);

/** Image file extensions, in order of preference. */
const ENDINGS = ['png', 'gif', 'jpg', 'jpeg', 'webp'];

/** Maximum length of an alias chain. */
const MAX_ALIASES = 10;

/** An emoji in the archive's format. */
export interface ReactionEmoji {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
}

/** Maps Slack's emoji names to standard and custom emoji. */
export class SlackEmoji {
  private readonly own = new Map<string, { id: number; name: string }>();
  private readonly aliases = new Map<string, string>();

  constructor(
    private readonly builder: ConvertedArchive,
    private readonly pictures: FileIndex,
  ) {}

  /** Adds custom emoji and aliases. @param list name to URL, or to `alias:` and another name */
  take(list: JsonRow): void {
    for (const [name, value] of Object.entries(list)) {
      if (typeof value !== 'string') continue;
      if (value.startsWith('alias:')) this.aliases.set(name, value.slice('alias:'.length));
      else if (!this.takePicture(name)) this.builder.note('left out', 'emoji', name, 'Image file missing.');
    }
    for (const name of this.aliases.keys()) {
      if (this.find(name) === null)
        this.builder.note('left out', 'emoji', name, 'The alias points to a missing emoji.');
    }
  }

  /** Adds every image of the folder as an emoji named like the file. */
  takePictures(): void {
    for (const path of this.pictures.paths) {
      const [, name, ending] = /([^/]+)\.([a-z]+)$/i.exec(path) ?? [];
      if (name !== undefined && ENDINGS.includes(ending?.toLowerCase() ?? '')) this.takePicture(name);
    }
  }

  /** Finds an emoji by Slack's name, ignoring skin tones; null if unknown. */
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

/** A standard emoji by its code; null if unknown. */
export function unicodeEmoji(code: string): ReactionEmoji | null {
  const name = canonicalName(code);
  return name === undefined ? null : { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' };
}
