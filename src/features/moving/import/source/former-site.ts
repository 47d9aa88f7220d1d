import { channelNarrow } from '../../../messages/messages.module';

const CHANNEL_LINK =
  /(https?:\/\/[^\s/()<>"'[\]]{1,255})\/#narrow\/(?:channel|stream)\/((\d{1,15})-[^\s/()]{1,1000})/g;
const MOST_SITES = 100;

/**
 * Detects the URL of the old server, which archives do not contain: quotations link to messages with its URL. Links to
 * other Zulip servers are ignored, because their channel IDs and names do not match those of the archive.
 */
export class FormerSite {
  private readonly names = new Map<number, string>();
  /** Number of links by site. */
  private readonly counts = new Map<string, number>();

  /** Adds a channel of the archive. */
  addChannel(id: number, name: string): void {
    this.names.set(id, name);
  }

  /** Adds the text of a message of the archive. */
  addText(text: unknown): void {
    // Most texts contain no such link.
    if (typeof text !== 'string' || !text.includes('/#narrow/')) return;
    for (const [, site = '', place, id] of text.matchAll(CHANNEL_LINK)) {
      const name = this.names.get(Number(id));
      if (name === undefined || !channelNarrow({ id: Number(id), name }).endsWith(`/${place}`)) continue;
      const count = this.counts.get(site) ?? 0;
      if (count > 0 || this.counts.size < MOST_SITES) this.counts.set(site, count + 1);
    }
  }

  /** URL of the old server without a trailing slash; null if no message reveals it. */
  get url(): string | null {
    const [most] = [...this.counts].sort(([, one], [, other]) => other - one);
    return most?.[0] ?? null;
  }
}
