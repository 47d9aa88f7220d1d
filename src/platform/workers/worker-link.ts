import cluster from 'node:cluster';

/** Told what another worker published. */
type LinkListener = (text: string) => void;

/** What workers send each other by way of the process that started them. */
export interface WorkerMessage {
  readonly topic: string;
  readonly text: string;
}

/** What a worker sends once clients may come. */
export const SERVING: WorkerMessage = { topic: 'serving', text: '' };

/** What the workers of one server tell each other, for as long as all of them run. */
export class WorkerLink {
  private readonly listeners = new Map<string, LinkListener>();

  /** @param workers how many there are */
  constructor(readonly workers: number) {
    process.on('message', ({ topic, text }: WorkerMessage) => this.listeners.get(topic)?.(text));
  }

  /** One listener a topic. */
  listen(topic: string, listener: LinkListener): void {
    this.listeners.set(topic, listener);
  }

  /** Tells the other workers. Does not throw. */
  publish(topic: string, text: string): void {
    this.send({ topic, text });
  }

  /** Tells the process that started this one that clients may come. */
  tellServing(): void {
    this.send(SERVING);
  }

  private send(message: WorkerMessage): void {
    // Without the other process this one is about to end.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  }
}

/** Which worker of its server this process is, from 1; null where the server is one process. */
export function workerNumber(): number | null {
  return cluster.worker?.id ?? null;
}
