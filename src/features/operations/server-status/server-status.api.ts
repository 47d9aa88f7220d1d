import type { Checks } from '../../../platform/health/health.service';

/** Response times of a route, since this node started. */
export interface RouteFigures {
  readonly method: string;
  readonly route: string;
  readonly requests: number;
  /** On average. @fraction */
  readonly mean_ms: number;
  /** Time within which 19 of 20 requests were answered, at the precision of the metric's buckets. @fraction */
  readonly p95_ms: number;
}

/** Jobs of one kind. */
export interface JobFigures {
  readonly kind: string;
  /** Including those that are due later; null if the database is unresponsive. */
  readonly waiting: number | null;
  /** How long ago the oldest of them was due. @fraction */
  readonly oldest_seconds: number | null;
  /** Since this node started, on this node. */
  readonly done: number;
  /** Given up since this node started, on this node. */
  readonly failed: number;
}

/** Figures of this node. Null if a number cannot be read at the moment. */
export interface NodeFigures {
  readonly clients: {
    /** Event queues, each of one client. */
    readonly queues: number | null;
    /** Clients that are currently waiting for events. */
    readonly waiting_polls: number | null;
  };
  readonly events: {
    /** Events kept for clients that are away. */
    readonly kept: number | null;
    /** @fraction */
    readonly oldest_seconds: number | null;
    /** Events that this node has not read yet. */
    readonly lag: number | null;
  };
  readonly writes: {
    readonly waiting: number | null;
    /** @fraction */
    readonly oldest_seconds: number | null;
  };
  /** Since this node started, on this node. */
  readonly sign_ins: { readonly failed: number; readonly throttled: number };
  readonly jobs: readonly JobFigures[];
  /** The ten with the highest average duration, except long polling. */
  readonly slowest_routes: readonly RouteFigures[];
}

/** Sizes of stored data, and free space. */
export interface StorageFigures {
  readonly database: {
    readonly engine: string;
    readonly driver: string;
    /** Null if the database is unresponsive. */
    readonly bytes: number | null;
    /** Response time of the database in milliseconds; null if it is unresponsive. @fraction */
    readonly answer_ms: number | null;
  };
  /** The disk with uploaded files and the embedded database; null if the system does not report it. */
  readonly disk: { readonly total_bytes: number; readonly free_bytes: number } | null;
}

/** The status of the server. */
export interface ServerStatus extends NodeFigures, StorageFigures {
  /** The release of this program. */
  readonly version: string;
  /** The Zulip release whose interface it implements, and the feature level. */
  readonly interface_version: string;
  readonly feature_level: number;
  readonly node_version: string;
  /** When this node started. UNIX seconds. */
  readonly started_at: number;
  readonly memory_bytes: number;
  /** Nodes on this database, including this one; null if unknown. */
  readonly nodes: number | null;
  /** Whether requests may be sent to this node. */
  readonly is_ready: boolean;
  readonly checks: Checks | null;
  /** Reasons why the node is not ready, one sentence each. */
  readonly problems: readonly string[];
  /** Reasons why the node is impaired, one sentence each. */
  readonly warnings: readonly string[];
  /** The last backup in the audit log. */
  readonly last_backup: {
    /** When it was complete. UNIX seconds. */
    readonly made_at: number;
    /** Whether it includes the server's secret. */
    readonly with_secret: boolean;
  } | null;
}

/** A setting of the server as it is in force. */
export interface ConfiguredSetting {
  /** Name of the environment variable. */
  readonly variable: string;
  /** Heading under which the documentation lists it. */
  readonly section: string;
  /** Sentences for the operator, in Markdown. */
  readonly about: string;
  /** Null for secrets, and where there is none. */
  readonly value: string | null;
  /** In words where the value depends on others. */
  readonly default: string | null;
  readonly is_secret: boolean;
  /** Whether there is a value. */
  readonly is_set: boolean;
}

/** The settings of the server, in the order of the documentation. */
export interface ConfigurationAnswer {
  readonly settings: readonly ConfiguredSetting[];
}
