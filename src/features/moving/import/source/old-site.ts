import { channelNarrow } from '../../../messages/messages.module';

const CHANNEL_LINK =
  /(https?:\/\/[^\s/()<>"'[\]]{1,255})\/#narrow\/(?:channel|stream)\/((\d{1,15})-[^\s/()]{1,1000})/g;
const MOST_SITES = 100;

/**
 * Finds out where the old server was, which archives do not tell: quotations link to messages with its address in front.
 * Links to other servers of this kind lead to channels whose numbers and names are not those of the archive.
 */
export class OldSite {
  private readonly names = new Map<number, string>();
  /** Links by the site that they lead to. */
  private readonly counts = new Map<string, number>();

  /** Takes a channel of the archive. */
  addChannel(id: number, name: string): void {
    this.names.set(id, name);
  }

  /** Takes the text of a message of the archive. */
  addText(text: unknown): void {
    // Most texts link to nothing.
    if (typeof text !== 'string' || !text.includes('/#narrow/')) return;
    for (const [, site = '', place, id] of text.matchAll(CHANNEL_LINK)) {
      const name = this.names.get(Number(id));
      if (name === undefined || !channelNarrow({ id: Number(id), name }).endsWith(`/${place}`)) continue;
      const count = this.counts.get(site) ?? 0;
      if (count > 0 || this.counts.size < MOST_SITES) this.counts.set(site, count + 1);
    }
  }

  /** Its address without a slash at the end; null where no message tells. */
  get url(): string | null {
    const [most] = [...this.counts].sort(([, one], [, other]) => other - one);
    return most?.[0] ?? null;
  }
}
