import type { EmojiId } from '../parts/emoji';

const RECENT = 'recent emoji';
const TONE = 'skin tone';
const MOST_RECENT = 27;

const common = (emoji_name: string, emoji_code: string): EmojiId => ({
  emoji_name,
  emoji_code,
  reaction_type: 'unicode_emoji',
});

/** The most common reactions, offered before anything was chosen. */
const COMMON = [
  common('+1', '1f44d'),
  common('tada', '1f389'),
  common('heart', '2764'),
  common('smile', '1f642'),
  common('working_on_it', '1f6e0'),
  common('octopus', '1f419'),
  common('eyes', '1f440'),
  common('check', '2705'),
];

const isSame = (one: EmojiId, other: EmojiId) =>
  one.emoji_code === other.emoji_code && one.reaction_type === other.reaction_type;

function stored(): EmojiId[] {
  try {
    const found = JSON.parse(localStorage.getItem(RECENT) ?? '[]') as unknown;
    return Array.isArray(found)
      ? (found as EmojiId[]).filter((each) => typeof each?.emoji_code === 'string')
      : [];
  } catch {
    return [];
  }
}

/** The emoji last chosen on this device, followed by common ones. */
export function recentEmoji(): EmojiId[] {
  const own = stored();
  const others = COMMON.filter((each) => !own.some((chosen) => isSame(chosen, each)));
  return [...own, ...others].slice(0, MOST_RECENT);
}

/** Records that an emoji was chosen on this device. */
export function noteChosen(id: EmojiId): void {
  const others = stored().filter((each) => !isSame(each, id));
  localStorage.setItem(RECENT, JSON.stringify([id, ...others].slice(0, MOST_RECENT)));
}

/** Skin tone modifiers; the first one means no tone. */
export const TONES = ['', '1f3fb', '1f3fc', '1f3fd', '1f3fe', '1f3ff'] as const;

/** Index of the tone chosen on this device. */
export function chosenTone(): number {
  const tone = Number(localStorage.getItem(TONE));
  return TONES[tone] === undefined ? 0 : tone;
}

export function setTone(tone: number): void {
  localStorage.setItem(TONE, String(tone));
}

/** The code of an emoji with a tone: the modifier follows the person, and a final sign gets a variation selector. */
export function inTone(code: string, tone: number): string {
  const modifier = TONES[tone];
  if (!modifier) return code;
  const [person, ...rest] = code.split('-') as [string, ...string[]];
  const isSign = rest.length > 0 && parseInt(rest.at(-1)!, 16) < 0x3000;
  return [person, modifier, ...rest, ...(isSign ? ['fe0f'] : [])].join('-');
}
