import { canonicalName, codeOf } from '../../../../platform/emoji/emoji';
import type { ConvertedArchive, FilePlace } from './converted-archive';
import emojiNames from './emoji-names.json';

/** Codes of the names of emoji-data that are missing or mean another emoji here. */
const codes = new Map(emojiNames as [string, string][]);

/** Maximum length of an alias chain. */
const MAX_ALIASES = 10;

/** An emoji in the archive's format. */
export interface ReactionEmoji {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
}

/** Maps another product's emoji names, those of emoji-data, to standard and custom emoji. */
export class ConvertedEmoji {
  private readonly custom = new Map<string, { id: number; name: string }>();
  private readonly aliases = new Map<string, string>();

  constructor(private readonly builder: ConvertedArchive) {}

  has(name: string): boolean {
    return this.custom.has(name);
  }

  addAlias(name: string, target: string): void {
    this.aliases.set(name, target);
  }

  /** Adds a custom emoji. */
  add(name: string, place: FilePlace): void {
    const id = this.custom.size + 1;
    this.custom.set(name, { id, name });
    this.builder.add('zerver_realmemoji', { id, source_id: name, name, file_name: name, author: null });
    this.builder.record('emoji', { path: name, ...{ file_name: name } }, place);
  }

  /** Finds an emoji by name, ignoring skin tones; null if unknown. */
  find(given: string): ReactionEmoji | null {
    let [name = ''] = given.split('::');
    for (let steps = 0; this.aliases.has(name) && !this.custom.has(name); steps++) {
      if (steps === MAX_ALIASES) return null;
      name = this.aliases.get(name) ?? '';
    }
    const own = this.custom.get(name);
    if (own) return { emoji_name: own.name, emoji_code: String(own.id), reaction_type: 'realm_emoji' };
    const code = codes.get(name) ?? codeOf(name);
    return code === undefined ? null : unicodeEmoji(code);
  }
}

/** A standard emoji by its code; null if unknown. */
export function unicodeEmoji(code: string): ReactionEmoji | null {
  const name = canonicalName(code);
  return name === undefined ? null : { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' };
}
