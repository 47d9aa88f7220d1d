import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** A refusal by the server: `code` says what it is, `message` says it to people. */
export class Refused extends Error {}

/** Signs in with a zuliprc file. */
export function connect(zuliprc) {
  const text = readFileSync(zuliprc, 'utf8');
  const setting = (name) => new RegExp(`^\\s*${name}\\s*=\\s*(.*?)\\s*$`, 'm').exec(text)?.[1];
  return new Client(setting('site'), setting('email'), setting('key'));
}

export class Client {
  constructor(site, email, key) {
    this.base = `${site}/api/v1`;
    this.headers = { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` };
  }

  /** Calls an endpoint. Text goes as it is, everything else as JSON. Waits and repeats while the server is away. */
  async call(method, path, parameters = {}) {
    const fields = Object.entries(parameters).filter(([, value]) => value !== undefined);
    const form = new URLSearchParams(
      fields.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    );
    const request = { method, headers: this.headers, ...(method === 'GET' ? {} : { body: form }) };
    const url = `${this.base}/${path}${method === 'GET' ? `?${form}` : ''}`;
    for (;;) {
      const response = await fetch(url, request).catch(() => null);
      if (response && response.status < 500 && response.status !== 429) {
        const answer = await response.json();
        if (answer.result === 'success') return answer;
        throw Object.assign(new Refused(answer.msg), { code: answer.code });
      }
      await pause(1000 * Number(response?.headers.get('retry-after') ?? 1));
    }
  }

  /** Hands every event of these types to a function, one after the other, for ever. What it is refused is logged. */
  async listen(types, handle) {
    for (;;) {
      const queue = await this.call('POST', 'register', { event_types: types, fetch_event_types: [] });
      let last = queue.last_event_id;
      console.log(`Listening for ${types.join(' and ')}.`);
      try {
        for (;;) {
          const poll = { queue_id: queue.queue_id, last_event_id: last };
          const { events } = await this.call('GET', 'events', poll);
          for (const event of events) {
            if (types.includes(event.type)) await this.attempt(() => handle(event, queue.queue_id));
            last = event.id;
          }
        }
      } catch (error) {
        // A queue that nobody asked for too long is gone; whatever happened since then is missed.
        if (error.code !== 'BAD_EVENT_QUEUE_ID') throw error;
      }
    }
  }

  /** A refusal, as by a channel that somebody closed meanwhile, is no reason to miss what comes next. */
  async attempt(work) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      console.error(error.message);
    }
  }

  /** Answers where a message was written. Sending it again after a lost answer does not send it twice. */
  reply(message, content, queueId) {
    const inChannel = { type: 'channel', to: message.stream_id, topic: message.subject };
    const people = () => message.display_recipient.map(({ id }) => id);
    const place = message.type === 'stream' ? inChannel : { type: 'direct', to: people() };
    const echo = { queue_id: queueId, local_id: `reply to ${message.id}` };
    return this.call('POST', 'messages', { ...place, content, ...echo });
  }
}
