/** The fields of `GET /api/server/status` that the page uses. */
export interface ServerStatus {
  readonly version: string;
  readonly interface_version: string;
  readonly feature_level: number;
  readonly node_version: string;
  readonly started_at: number;
  readonly memory_bytes: number;
  readonly nodes: number | null;
  readonly is_ready: boolean;
  readonly checks: { readonly redis: string } | null;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly last_backup: { readonly made_at: number; readonly with_secret: boolean } | null;
  readonly database: {
    readonly engine: string;
    readonly bytes: number | null;
    readonly answer_ms: number | null;
  };
  readonly disk: { readonly total_bytes: number; readonly free_bytes: number } | null;
  readonly clients: { readonly queues: number | null; readonly waiting_polls: number | null };
  readonly events: { readonly kept: number | null; readonly lag: number | null };
  readonly writes: { readonly waiting: number | null };
  readonly sign_ins: { readonly failed: number; readonly throttled: number };
  readonly jobs: readonly {
    readonly kind: string;
    readonly waiting: number | null;
    readonly done: number;
    readonly failed: number;
  }[];
  readonly slowest_routes: readonly {
    readonly method: string;
    readonly route: string;
    readonly requests: number;
    readonly mean_ms: number;
    readonly p95_ms: number;
  }[];
}

/** An entry of the response to `GET /api/server/configuration`. */
export interface ConfiguredSetting {
  readonly variable: string;
  readonly about: string;
  readonly value: string | null;
  readonly is_secret: boolean;
  readonly is_set: boolean;
}
