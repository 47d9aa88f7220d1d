import type { Checks } from '../../../platform/health/health.service';

/** How long a route takes to answer, since this node started. */
export interface RouteFigures {
  readonly method: string;
  readonly route: string;
  readonly requests: number;
  /** On average. @fraction */
  readonly mean_ms: number;
  /** Time within which 19 of 20 requests were answered, as far as the buckets of the metric tell. @fraction */
  readonly p95_ms: number;
}

/** Jobs of one kind. */
export interface JobFigures {
  readonly kind: string;
  /** Those included that are due later; null where the database does not say. */
  readonly waiting: number | null;
  /** How long ago the oldest of them was due. @fraction */
  readonly oldest_seconds: number | null;
  /** Since this node started, on this node. */
  readonly done: number;
  /** Given up since this node started, on this node. */
  readonly failed: number;
}

/** What the node counts by itself. Null where a number cannot be read just now. */
export interface NodeFigures {
  readonly clients: {
    /** Event queues, each of one client. */
    readonly queues: number | null;
    /** Clients that wait for events just now. */
    readonly waiting_polls: number | null;
  };
  readonly events: {
    /** Events that are kept for clients that are away. */
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
  /** The ten that take longest on average, without those that wait for events. */
  readonly slowest_routes: readonly RouteFigures[];
}

/** Where data lie, and how much room there is. */
export interface StorageFigures {
  readonly database: {
    readonly engine: string;
    readonly driver: string;
    /** Null where the database does not say. */
    readonly bytes: number | null;
    /** How long it took to answer just now; null where it did not. @fraction */
    readonly answer_ms: number | null;
  };
  /** The disk with uploaded files and the embedded database; null where the system does not say. */
  readonly disk: { readonly total_bytes: number; readonly free_bytes: number } | null;
}

/** How the server is. */
export interface ServerStatus extends NodeFigures, StorageFigures {
  /** The release of this program. */
  readonly version: string;
  /** The release of the interface that it speaks, and the feature level. */
  readonly interface_version: string;
  readonly feature_level: number;
  readonly node_version: string;
  /** When this node started. UNIX seconds. */
  readonly started_at: number;
  readonly memory_bytes: number;
  /** Nodes on this database, this one included; null where it is not known. */
  readonly nodes: number | null;
  /** Whether requests may be sent to this node. */
  readonly is_ready: boolean;
  readonly checks: Checks | null;
  /** What keeps the node from serving, a sentence each. */
  readonly problems: readonly string[];
  /** What makes the node serve worse, a sentence each. */
  readonly warnings: readonly string[];
  /** The last backup that the audit log knows of. */
  readonly last_backup: {
    /** When it was complete. UNIX seconds. */
    readonly made_at: number;
    /** Whether the server's secret is in it. */
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
