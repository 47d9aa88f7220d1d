import { Audience } from './audience';
import { decodeOptions, encodeOptions, type EmitOptions } from './emission';
import type { RedisLink } from '../redis/redis-link';
import type { ServerEvent } from './server-event';
import { InProcessTransientEvents } from './transient-events';

const TOPIC = 'transient';

/** A transient event on its way to another node. */
interface Message {
  readonly event: ServerEvent;
  /** Encoding in Base64. */
  readonly audience: string;
  readonly options: string | null;
}

/** Tells the listeners in this process, and those of other nodes over Redis. */
export class NodeTransientEvents extends InProcessTransientEvents {
  constructor(private readonly link: RedisLink) {
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
