import type { ServerEvent } from './records';
import type { State } from './known';

/** A tab's position in the queue that all tabs of a session share. */
export interface Position {
  readonly queue: string;
  /** ID of the last processed event. */
  readonly last: number;
}

/** Messages between tabs. */
type Said =
  /** A tab is new, was asleep or missed something; includes its position, if it has one. */
  | { readonly kind: 'ask'; readonly at: Position | null }
  /** The leader is alive. */
  | { readonly kind: 'here'; readonly connection: string }
  | { readonly kind: 'state'; readonly at: Position; readonly state: State }
  | {
      readonly kind: 'events';
      readonly before: Position;
      readonly last: number;
      readonly events: readonly ServerEvent[];
    }
  /** The session has ended. */
  | { readonly kind: 'ended' };

/** Callbacks for messages from other tabs. */
interface Member {
  readonly at: () => Position | null;
  readonly state: () => State;
  readonly connection: () => string;
  readonly onState: (state: State, at: Position) => void;
  readonly onEvents: (events: readonly ServerEvent[], at: Position) => void;
  readonly onConnection: (connection: string) => void;
  readonly onEnd: () => void;
}

/** How long to wait for the leader's answer before assuming that it is frozen or gone. */
const PATIENCE_MS = 2_000;
const ASKED_EVERY_MS = 30_000;

const isSame = (one: Position | null, other: Position | null) =>
  one?.queue === other?.queue && one?.last === other?.last;

/**
 * Coordinates the tabs of a session. One of them, the leader, holds the lock, polls, and forwards events, which the
 * others apply. Another tab takes over when the leader closes, or when it is frozen and the other tab is visible.
 * Without TLS, browsers open only six connections to a server, which a poll per tab would use up.
 */
export class Tabs {
  /** Null once the tab has given up on locks. */
  private channel: BroadcastChannel | null;
  private isLeader = false;
  private hasCompany = false;
  private isHeard = false;
  /** Aborts waiting for the lock, in order to steal it. */
  private waiting = new AbortController();

  /** @param name shared by exactly the tabs of a session with the same script */
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
   * Waits to become the leader, and leads, repeatedly.
   * @param lead polls until it is stopped or the session ends
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
        // Without locks, the tab works alone, because two leaders would confuse the others.
        if (!(error instanceof DOMException && error.name === 'AbortError')) {
          this.channel?.close();
          this.channel = null;
          return lead(new AbortController().signal);
        }
        // Another tab has stolen the lock, or this one is about to.
        isForced = this.waiting.signal.aborted;
      }
    }
  }

  /** Forwards events that the leader has processed. */
  passOn(events: readonly ServerEvent[], before: Position, last: number): void {
    this.say({ kind: 'events', before, last, events });
  }

  /** Resets the other tabs to the leader's state. */
  shareState(): void {
    const at = this.member.at();
    if (at && this.hasCompany) this.say({ kind: 'state', at, state: this.member.state() });
  }

  shareConnection(): void {
    this.say({ kind: 'here', connection: this.member.connection() });
  }

  /** Announces that the session has ended. */
  end(): void {
    this.say({ kind: 'ended' });
  }

  private say(said: Said): void {
    this.channel?.postMessage(said);
  }

  /** Checks whether the leader is alive, and requests missed events. Hidden tabs can wait. */
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
    // A new leader ignores the former one, which may have been asleep.
    if (this.isLeader) return;
    const at = this.member.at();
    if (said.kind === 'here') this.member.onConnection(said.connection);
    else if (said.kind === 'state') {
      // A former leader that was asleep answers before it knows that another tab took over.
      if (said.at.queue !== at?.queue || said.at.last > at.last) this.member.onState(said.state, said.at);
    } else if (isSame(said.before, at)) {
      this.member.onEvents(said.events, { queue: said.before.queue, last: said.last });
    } else if (at?.queue !== said.before.queue || said.last > at.last) this.ask();
  }
}
