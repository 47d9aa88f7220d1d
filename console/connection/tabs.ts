import type { ServerEvent } from './records';
import type { State } from './known';

/** Where a tab is in the queue that all tabs of a session share. */
export interface Position {
  readonly queue: string;
  /** ID of the last event that it has taken in. */
  readonly last: number;
}

/** What tabs tell each other. */
type Said =
  /** A tab is new, was asleep or missed something: where it is, if anywhere. */
  | { readonly kind: 'ask'; readonly at: Position | null }
  /** The leader is there. */
  | { readonly kind: 'here'; readonly connection: string }
  | { readonly kind: 'state'; readonly at: Position; readonly state: State }
  | {
      readonly kind: 'events';
      readonly before: Position;
      readonly last: number;
      readonly events: readonly ServerEvent[];
    }
  /** The session is over. */
  | { readonly kind: 'ended' };

/** What a tab does with what others tell. */
interface Member {
  readonly at: () => Position | null;
  readonly state: () => State;
  readonly connection: () => string;
  readonly onState: (state: State, at: Position) => void;
  readonly onEvents: (events: readonly ServerEvent[], at: Position) => void;
  readonly onConnection: (connection: string) => void;
  readonly onEnd: () => void;
}

/** A leader that says nothing for so long is frozen or gone. */
const PATIENCE_MS = 2_000;
const ASKED_EVERY_MS = 30_000;

const isSame = (one: Position | null, other: Position | null) =>
  one?.queue === other?.queue && one?.last === other?.last;

/**
 * The tabs of a session: one of them, the leader, holds the lock, polls and passes on what it hears. The others apply
 * that, and one of them takes over where the leader closes, or where it is frozen and another tab is looked at. Browsers
 * open only six connections to a server without TLS, which as many polls would use up.
 */
export class Tabs {
  /** Null once the tab has given up on locks. */
  private channel: BroadcastChannel | null;
  private isLeader = false;
  private hasCompany = false;
  private isHeard = false;
  /** Ends waiting for the lock, to take it by force. */
  private waiting = new AbortController();

  /** @param name the same for all tabs of a session with the same script, and for no others */
  constructor(
    private readonly name: string,
    private readonly member: Member,
  ) {
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }) => this.hear(data as Said);
    document.addEventListener('visibilitychange', () => this.ask());
    setInterval(() => this.ask(), ASKED_EVERY_MS);
  }

  /**
   * Takes its turn as leader, again and again.
   * @param lead polls until it is told to stop, or until the session is over
   */
  async takeTurns(lead: (stop: AbortSignal) => Promise<void>): Promise<void> {
    let isForced = false;
    this.ask();
    for (;;) {
      const stop = new AbortController();
      this.waiting = new AbortController();
      const how = isForced ? { steal: true } : { signal: this.waiting.signal };
      try {
        await navigator.locks.request(this.name, how, () => {
          this.isLeader = true;
          return lead(stop.signal);
        });
        return;
      } catch (error) {
        stop.abort();
        this.isLeader = false;
        // Without locks, it is on its own, as two leaders would confuse the others.
        if (!(error instanceof DOMException && error.name === 'AbortError')) {
          this.channel?.close();
          this.channel = null;
          return lead(new AbortController().signal);
        }
        // Another tab has taken the lock, or this one is about to.
        isForced = this.waiting.signal.aborted;
      }
    }
  }

  /** Passes on events that the leader has taken in. */
  passOn(events: readonly ServerEvent[], before: Position, last: number): void {
    this.say({ kind: 'events', before, last, events });
  }

  /** Has the other tabs begin anew with the leader's state. */
  shareState(): void {
    const at = this.member.at();
    if (at && this.hasCompany) this.say({ kind: 'state', at, state: this.member.state() });
  }

  shareConnection(): void {
    this.say({ kind: 'here', connection: this.member.connection() });
  }

  /** Tells that the session is over. */
  end(): void {
    this.say({ kind: 'ended' });
  }

  private say(said: Said): void {
    this.channel?.postMessage(said);
  }

  /** Asks whether the leader is there, and for what this tab has missed. A hidden tab can wait. */
  private ask(): void {
    if (this.isLeader || document.visibilityState !== 'visible') return;
    this.isHeard = false;
    this.say({ kind: 'ask', at: this.member.at() });
    setTimeout(() => {
      if (!this.isHeard && !this.isLeader && document.visibilityState === 'visible') this.waiting.abort();
    }, PATIENCE_MS);
  }

  private hear(said: Said): void {
    this.hasCompany = true;
    if (said.kind === 'ended') return this.member.onEnd();
    if (said.kind === 'ask') {
      if (!this.isLeader) return;
      if (!isSame(said.at, this.member.at())) this.shareState();
      return this.shareConnection();
    }
    this.isHeard = true;
    // What a leader says that was only asleep is not news to the one that took over.
    if (this.isLeader) return;
    const at = this.member.at();
    if (said.kind === 'here') this.member.onConnection(said.connection);
    else if (said.kind === 'state') {
      // One that was asleep answers before it knows that another took over.
      if (said.at.queue !== at?.queue || said.at.last > at.last) this.member.onState(said.state, said.at);
    } else if (isSame(said.before, at)) {
      this.member.onEvents(said.events, { queue: said.before.queue, last: said.last });
    } else if (at?.queue !== said.before.queue || said.last > at.last) this.ask();
  }
}
