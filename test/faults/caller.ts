/** A request is given up by its client after this long, and counts as one that took too long. */
const PATIENCE_MS = 60_000;

/** Who asks, and where the server is: each request goes to the next address. */
export interface Site {
  readonly addresses: readonly string[];
  readonly authorization: string;
}

/** What came of a request. */
export interface Outcome {
  readonly path: string;
  /** Null where the connection broke. */
  readonly status: number | null;
  readonly retryAfter: string | null;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any answer of the interface
  readonly body: any;
  readonly tookMs: number;
}

/** Talks to a server as a client does that goes to another node when one does not answer. */
export class Caller {
  private next = 0;

  constructor(private readonly site: Site) {}

  /** @param patienceMs after this long it goes away, without an answer */
  async call(path: string, form?: Record<string, string>, patienceMs = PATIENCE_MS): Promise<Outcome> {
    const since = performance.now();
    const address = this.site.addresses[this.next++ % this.site.addresses.length];
    const tookMs = () => Math.round(performance.now() - since);
    try {
      const answer = await fetch(`${address}/api/v1${path}`, {
        headers: { authorization: this.site.authorization },
        signal: AbortSignal.timeout(patienceMs),
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      });
      const body: unknown = await answer.json().catch(() => null);
      const retryAfter = answer.headers.get('retry-after');
      return { path, status: answer.status, retryAfter, body, tookMs: tookMs() };
    } catch {
      return { path, status: null, retryAfter: null, body: null, tookMs: tookMs() };
    }
  }
}

/** The answers that one client got. */
export class Answers {
  refused = 0;
  broken = 0;
  /** What nobody may be told, whatever the fault. */
  readonly wrong = new Set<string>();
  slowest = { ms: 0, what: '' };
  /** How often there was which status; `none` where the connection broke. */
  readonly statuses = new Map<string, number>();

  /** @returns whether it is a success; a proxy says 502 or 504 where the connection behind it broke */
  note({ path, status, retryAfter, body, tookMs }: Outcome): boolean {
    const name = status === null ? 'none' : String(status);
    const [route] = path.split('?');
    if (tookMs > this.slowest.ms) this.slowest = { ms: tookMs, what: `${route}: ${name}` };
    this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
    if (status === 200) return true;
    if (status === null || status === 502 || status === 504) {
      this.broken++;
      return false;
    }
    this.refused++;
    if (status !== 503 || retryAfter === null) this.wrong.add(`${status} ${JSON.stringify(body)}`);
    return false;
  }
}
