/** A session that goes on. */
export interface SessionRecord {
  /** Names the session in paths. */
  readonly id: number;
  /** UNIX seconds. */
  readonly created_at: number;
  /** UNIX seconds. */
  readonly expires_at: number;
  /** IP address from which somebody signed in. */
  readonly address: string;
  /** What the client that signed in said of itself; empty if nothing. */
  readonly user_agent: string;
  /** Whether the token that was sent belongs to it. */
  readonly is_current: boolean;
}

/** What became of ending several sessions. */
export interface EndedSessions {
  /** How many sessions ended. */
  readonly ended: number;
}
