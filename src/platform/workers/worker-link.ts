import cluster from 'node:cluster';

/** Receives what another worker published. */
type LinkListener = (text: string) => void;

/** A message between workers, relayed by the process that started them. */
export interface WorkerMessage {
  readonly topic: string;
  readonly text: string;
}

/** Sent by a worker once it accepts clients. */
export const SERVING: WorkerMessage = { topic: 'serving', text: '' };

/** Messages between the workers of one server, for as long as all of them run. */
export class WorkerLink {
  private readonly listeners = new Map<string, LinkListener>();

  /** @param workers number of workers */
  constructor(readonly workers: number) {
    process.on('message', ({ topic, text }: WorkerMessage) => this.listeners.get(topic)?.(text));
  }

  /** One listener per topic. */
  listen(topic: string, listener: LinkListener): void {
    this.listeners.set(topic, listener);
  }

  /** Publishes to the other workers. Does not throw. */
  publish(topic: string, text: string): void {
    this.send({ topic, text });
  }

  /** Reports to the parent process that clients are accepted. */
  tellServing(): void {
    this.send(SERVING);
  }

  private send(message: WorkerMessage): void {
    // Without its parent, this process is about to end.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  }
}

/** The number of this worker, from 1; null if the server is a single process. */
export function workerNumber(): number | null {
  return cluster.worker?.id ?? null;
}
