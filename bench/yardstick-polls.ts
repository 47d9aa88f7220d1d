import { randomUUID } from 'node:crypto';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';

/**
 * The baseline for waiting clients: bare Fastify that authenticates its callers, parks polls, and answers all of them
 * with each message, whose text it serializes once. It keeps only the newest event, and stores no message.
 *
 * Arguments: port, and `address:key` of each account.
 */
const [port, ...credentials] = process.argv.slice(2) as [string, ...string[]];
const known = new Set(credentials);

interface Queue {
  readonly owner: string;
  parked: FastifyReply | null;
}

const queues = new Map<string, Queue>();
let newest = { id: -1, text: '' };

const app = fastify({ logger: false });
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
  done(null, Object.fromEntries(new URLSearchParams(body as string))),
);

function caller({ headers }: FastifyRequest): string {
  const credential = Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString();
  if (!known.has(credential)) throw new Error('Invalid API key');
  return credential;
}

const success = { result: 'success', msg: '' };

function answer(reply: FastifyReply): void {
  reply.header('content-type', 'application/json; charset=utf-8').send(newest.text);
}

app.get('/', () => success);

app.post('/api/v1/register', (request) => {
  const id = randomUUID();
  queues.set(id, { owner: caller(request), parked: null });
  return { ...success, queue_id: id, last_event_id: -1 };
});

app.get<{ Querystring: { queue_id: string; last_event_id: string } }>('/api/v1/events', (request, reply) => {
  const owner = caller(request);
  const queue = queues.get(request.query.queue_id);
  if (queue?.owner !== owner) throw new Error('Bad event queue ID');
  if (Number(request.query.last_event_id) < newest.id) answer(reply);
  else queue.parked = reply;
});

app.post<{ Body: Record<string, string> }>('/api/v1/messages', (request) => {
  const owner = caller(request);
  const { topic, content } = request.body;
  const id = newest.id + 1;
  const message = {
    id,
    sender_id: 10,
    content: `<p>${content}</p>`,
    recipient_id: 23,
    timestamp: Math.floor(Date.now() / 1000),
    client: 'bench',
    subject: topic,
    topic_links: [],
    is_me_message: false,
    reactions: [],
    submessages: [],
    sender_full_name: 'Bench',
    sender_email: owner.split(':')[0],
    sender_realm_str: '',
    display_recipient: 'everybody',
    type: 'stream',
    stream_id: 11,
    avatar_url: 'https://secure.gravatar.com/avatar/4b3a9f4b3a9f4b3a9f4b3a9f4b3a9f4b?d=identicon&version=1',
    content_type: 'text/html',
  };
  const events = [{ id, type: 'message', message, flags: [] }];
  newest = { id, text: JSON.stringify({ ...success, events }) };
  for (const queue of queues.values()) {
    const { parked } = queue;
    queue.parked = null;
    if (parked) answer(parked);
  }
  return { ...success, id };
});

void app.listen({ port: Number(port), host: '127.0.0.1' });
