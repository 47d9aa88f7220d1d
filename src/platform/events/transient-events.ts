import { Injectable } from '@nestjs/common';
import { Audience } from './audience';
import {
  type Emission,
  type EmitOptions,
  type ServerEvent,
  decodeOptions,
  encodeOptions,
} from './server-event';
import type { RedisLink } from '../redis/redis-link';
import type { WorkerLink } from '../workers/worker-link';

/** Receives published events. Must not throw. */
export type TransientListener = (emission: Emission) => void;

/**
 * Events that are not stored, such as typing and presence. They reach connected clients on all nodes; losing one does
 * no harm. Stored changes use `Transaction.emit`.
 */
export abstract class TransientEvents {
  /** Delivers an event to listening clients. Costs no query, and does not wait for clients. */
  abstract publish(event: ServerEvent, audience: Audience, options?: EmitOptions): void;

  /** @returns an unsubscribe function */
  abstract onPublished(listener: TransientListener): () => void;
}

/** Notifies the listeners in this process. */
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

const TOPIC = 'transient';

/** A transient event sent to another node. */
interface Message {
  readonly event: ServerEvent;
  /** Base64 encoding. */
  readonly audience: string;
  readonly options: string | null;
}

/** Notifies the listeners in this process, and those of other nodes through Redis. */
export class NodeTransientEvents extends InProcessTransientEvents {
  constructor(private readonly link: RedisLink | WorkerLink) {
    super();
    link.listen(TOPIC, (text) => {
      const { event, audience, options } = JSON.parse(text) as Message;
      super.publish(event, Audience.decode(Buffer.from(audience, 'base64')), decodeOptions(options));
    });
  }

  override publish(event: ServerEvent, audience: Audience, options: EmitOptions = {}): void {
    super.publish(event, audience, options);
    if (audience.size === 0) return;
    const message: Message = {
      event,
      audience: audience.encoding().toString('base64'),
      options: encodeOptions(options),
    };
    this.link.publish(TOPIC, JSON.stringify(message));
  }
}
