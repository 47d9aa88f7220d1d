import { Injectable } from '@nestjs/common';
import type { Audience } from './audience';
import type { Emission, EmitOptions } from './emission';
import type { ServerEvent } from './server-event';

/** Told what was published. Must not throw. */
export type TransientListener = (emission: Emission) => void;

/**
 * Events that are worth telling and not worth keeping: that somebody types, or is there. They reach the
 * clients that are connected, on all nodes, and are gone; none is stored, so a lost one does no harm. What
 * changes something that is kept goes through `Transaction.emit` instead.
 */
export abstract class TransientEvents {
  /** Hands an event to whoever listens. Costs no query; nothing waits for the clients. */
  abstract publish(event: ServerEvent, audience: Audience, options?: EmitOptions): void;

  /** @returns a function that ends the subscription */
  abstract onPublished(listener: TransientListener): () => void;
}

/** Tells the listeners in this process. */
@Injectable()
export class InProcessTransientEvents extends TransientEvents {
  private readonly listeners = new Set<TransientListener>();

  publish(event: ServerEvent, audience: Audience, options: EmitOptions = {}): void {
    if (audience.size === 0) return;
    for (const listener of this.listeners) listener({ event, audience, options });
  }

  onPublished(listener: TransientListener): () => void {
    const own: TransientListener = (emission) => listener(emission);
    this.listeners.add(own);
    return () => this.listeners.delete(own);
  }
}
