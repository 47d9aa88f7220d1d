import { Audience } from './audience';
import type { Emission } from './server-event';
import { InProcessTransientEvents } from './transient-events';

const EVENT = { type: 'typing', op: 'start' };

describe('Transient events', () => {
  it('reach every listener until it unsubscribes, in order', () => {
    const events = new InProcessTransientEvents();
    const seen: Emission[] = [];
    const others: Emission[] = [];
    const stop = events.onPublished((emission) => seen.push(emission));
    events.onPublished((emission) => others.push(emission));
    const audience = Audience.of([1, 2]);
    events.publish(EVENT, audience);
    events.publish({ type: 'typing', op: 'stop' }, audience, { requires: 'stream_typing_notifications' });
    stop();
    events.publish(EVENT, audience);
    expect(seen).toEqual([
      { event: EVENT, audience, options: {} },
      {
        event: { type: 'typing', op: 'stop' },
        audience,
        options: { requires: 'stream_typing_notifications' },
      },
    ]);
    expect(others).toHaveLength(3);
  });

  it('treat a function registered twice as two listeners', () => {
    const events = new InProcessTransientEvents();
    const seen: Emission[] = [];
    const listener = (emission: Emission) => seen.push(emission);
    const stop = events.onPublished(listener);
    events.onPublished(listener);
    stop();
    events.publish(EVENT, Audience.of([1]));
    expect(seen).toHaveLength(1);
  });

  it('for an empty audience are not delivered', () => {
    const events = new InProcessTransientEvents();
    const seen: Emission[] = [];
    events.onPublished((emission) => seen.push(emission));
    events.publish(EVENT, Audience.none);
    expect(seen).toEqual([]);
  });
});
