/**
 * The readable part of a channel's e-mail address: its name in lower-case ASCII, with a dash for each run
 * of other characters than letters, digits and underscores.
 * @returns null for a name that loses letters on the way or ends in a dash; the address then goes without
 */
export function emailSlug(channelName: string): string | null {
  const words = channelName.normalize('NFKC').replace(/[^\p{L}\p{N}_]+/gu, '-');
  const ascii = words.normalize('NFKD').replace(/[^\w-]+/g, '');
  const slug = ascii.toLowerCase().replace(/^[-_]+|[-_]+$/g, '');
  return slug !== '' && slug.length === [...words].length ? slug : null;
}
