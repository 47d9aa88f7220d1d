/** A request is given up by its client after this long, and counts as one that took too long. */
const PATIENCE_MS = 60_000;

/** Who asks, and where the server is: each request goes to the next address. */
export interface Site {
  readonly addresses: readonly string[];
  readonly authorization: string;
  /** Whom direct messages go to. */
  readonly partnerId: number;
  /** Whether the addresses are of a proxy, which says 502 or 504 where the connection behind it broke. */
  readonly isProxy?: boolean;
}

/** The same for a client that knows one address alone. */
export function siteAt(site: Site, address: string): Site {
  return { ...site, addresses: [address] };
}

/** What came of a request. */
export interface Outcome {
  readonly path: string;
  /** Null where there was no answer. */
  readonly status: number | null;
  /** Why there was none, such as `ECONNRESET`; `TimeoutError` where the client went away. */
  readonly failure: string | null;
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
      const body: unknown = await answer.json().catch((error: Error) => {
        // It broke off after its head.
        if (answer.ok) throw error;
        return null;
      });
      const retryAfter = answer.headers.get('retry-after');
      return { path, status: answer.status, failure: null, retryAfter, body, tookMs: tookMs() };
    } catch (error) {
      return {
        path,
        status: null,
        failure: nameOf(error as Error),
        retryAfter: null,
        body: null,
        tookMs: tookMs(),
      };
    }
  }
}

/** `fetch` says that it failed, and nothing else; the connection knows why. */
function nameOf({ name, message, cause }: Error): string {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return name === 'TimeoutError' ? name : (code ?? message);
}

/** The answers that one client got. */
export class Answers {
  refused = 0;
  /** The codes with which it was, and for which routes. */
  readonly refusals = new Map<string, Set<string>>();
  broken = 0;
  /** Why requests were left without any answer, other than that of a proxy. */
  readonly failures = new Set<string>();
  /** What nobody may be told, whatever the fault. */
  readonly wrong = new Set<string>();
  slowest = { ms: 0, what: '' };
  /** How often there was which status; `none` where the connection broke. */
  readonly statuses = new Map<string, number>();

  constructor(private readonly site: Site) {}

  /** @returns whether it is a success */
  note({ path, status, failure, retryAfter, body, tookMs }: Outcome): boolean {
    const name = status === null ? 'none' : String(status);
    const [route = ''] = path.split('?');
    if (tookMs > this.slowest.ms) this.slowest = { ms: tookMs, what: `${route}: ${name}` };
    this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
    if (status === 200) return true;
    if (failure !== null) this.failures.add(`${route.replace(/\d+/, '<id>')}: ${failure}`);
    if (failure !== null || (this.site.isProxy && (status === 502 || status === 504))) {
      this.broken++;
      return false;
    }
    this.refused++;
    if (status !== 503 || retryAfter === null) this.wrong.add(`${status} ${JSON.stringify(body)}`);
    else this.refusals.set(body?.code, (this.refusals.get(body?.code) ?? new Set()).add(route));
    return false;
  }
}
