import type { Misbehaviour, PassingAnswer, PassingRequest } from './spoiling-proxy';

type Json = Record<string, unknown>;

/** Requests whose answers no client reads. */
const WITHOUT_ANSWER =
  /^(PATCH|DELETE) |^POST \/(messages\/(flags|\d+\/reactions)|mark_|default_streams|user_topics|streams\/\d+\/delete|users\/me\/(muted_users|presence|status|alert_words|subscriptions\/properties)|users\/\d+\/reactivate|typing|user_groups\/\d+)/;

const success = (more: Json = {}): Json => ({ result: 'success', msg: '', ...more });

/** Modifies the successful answers of some routes. */
function onSuccess(route: RegExp, change: (body: Json, request: PassingRequest) => Json): Misbehaviour {
  return {
    answers: (answer, request) =>
      answer.status === 200 && route.test(request.route)
        ? { ...answer, body: change(answer.body, request) }
        : answer,
  };
}

/** Modifies refusals. */
function onRefusal(change: (answer: PassingAnswer) => PassingAnswer): Misbehaviour {
  return { answers: (answer) => (answer.status === 200 ? answer : change(answer)) };
}

/** Ignores some parameters. */
function ignoring(...names: string[]): Misbehaviour {
  return { asks: ({ parameters }) => names.forEach((name) => parameters.delete(name)) };
}

/** Replaces a pattern wherever it occurs in the answer. */
function replacing(route: RegExp, part: RegExp, by: string): Misbehaviour {
  return onSuccess(route, (body) => JSON.parse(JSON.stringify(body).replace(part, by)) as Json);
}

/** Returns the first caller's answer to all others who send the same request. */
function sharing(route: RegExp): Misbehaviour {
  const kept = new Map<string, { by: string; body: Json }>();
  return onSuccess(route, (body, { authorization: by, route: asked }) => {
    const first = kept.get(asked);
    if (first && first.by !== by) return first.body;
    kept.set(asked, { by, body });
    return body;
  });
}

/** Adds data of one user to the events of everyone. */
function tellingEverybody(): Misbehaviour {
  const said: string[] = [];
  return {
    asks: ({ route, parameters }) => {
      if (route === 'POST /messages') said.push(parameters.get('content') ?? '');
    },
    ...onSuccess(/^GET \/events/, (body) => ({
      ...body,
      events: [
        ...(body['events'] as Json[]),
        { id: 0, type: 'message', message: { content: said.join(' ') } },
      ],
    })),
  };
}

/** Delivers each event only once. */
function forgettingEvents(): Misbehaviour {
  const given = new Set<string>();
  return onSuccess(/^GET \/events/, (body, { parameters }) => ({
    ...body,
    events: (body['events'] as Json[]).filter(({ id }) => {
      const key = `${parameters.get('queue_id')} ${String(id)}`;
      return !given.has(key) && given.add(key);
    }),
  }));
}

/** Exposes the keys of bots when accounts are listed. */
function showingKeys(): Misbehaviour {
  const keys: unknown[] = [];
  return onSuccess(/^(POST|GET) \/(bots|users)$/, (body, { route }) => {
    if (Array.isArray(body['bots'])) keys.push(...(body['bots'] as Json[]).map(({ api_key }) => api_key));
    return route.startsWith('GET') ? { ...body, keys } : body;
  });
}

/** Deliberately broken servers, by their defect. Those with many defects come last. */
export const FAULTS: readonly (readonly [name: string, misbehaviour: Misbehaviour])[] = [
  [
    'refuses without saying what it has',
    onRefusal((answer) => ({ ...answer, headers: {}, body: { ...answer.body, allowed_methods: undefined } })),
  ],
  ['answers every refusal with 400', onRefusal((answer) => ({ ...answer, status: 400 }))],
  [
    'does not say which parameter is missing',
    onRefusal((answer) => ({ ...answer, body: { ...answer.body, var_name: undefined } })),
  ],
  [
    'repeats in refusals what it was asked',
    onRefusal((answer) => ({ ...answer, body: { ...answer.body, stream_id: 1 } })),
  ],
  [
    'calls its JSON text',
    { answers: (answer) => ({ ...answer, headers: { 'content-type': 'text/plain' } }) },
  ],
  ['leaves "msg" out of successes', onSuccess(/./, (body) => ({ ...body, msg: undefined }))],
  [
    'names no parameters that it does not know',
    onSuccess(/./, (body) => ({ ...body, ignored_parameters_unsupported: undefined })),
  ],
  [
    'names parameters that it knows',
    onSuccess(/./, (body) => ({ ignored_parameters_unsupported: ['client_gravatar'], ...body })),
  ],
  ['sends every kind of event and state', ignoring('event_types')],
  [
    'gives messages in another order',
    onSuccess(/^GET \/messages$/, (body) => ({
      ...body,
      messages: (body['messages'] as Json[]).toReversed(),
    })),
  ],
  [
    'gives topics in another order',
    onSuccess(/\/topics$/, (body) => ({ ...body, topics: (body['topics'] as Json[]).toReversed() })),
  ],
  ['tells everybody everything', tellingEverybody()],
  [
    'numbers all events alike',
    onSuccess(/^GET \/events/, (body) => ({
      ...body,
      events: (body['events'] as Json[]).map((event) => ({ ...event, id: 0 })),
    })),
  ],
  ['gives each event once', forgettingEvents()],
  ['shows the flags of one to all', sharing(/^GET \/messages\/\d+$/)],
  ['shows keys of bots', showingKeys()],
  ['sets no flag', replacing(/./, /"flags":\[[^\]]*\]/g, '"flags":[]')],
  [
    'gives local IDs to everybody',
    replacing(/^GET \/events/, /"type":"message"/g, '"type":"message","local_message_id":"100.02"'),
  ],
  ['cuts without saying so', replacing(/./, /\[message truncated\]|\.\.\./g, '')],
  ['does not look at the view that is asked for', ignoring('narrow')],
  [
    'does not look at what is wanted besides',
    ignoring(
      'include_anchor',
      'direct_member_only',
      'include_subscribers',
      'apply_markdown',
      'include_public',
      'include_default',
      'all_public_streams',
      'client_capabilities',
      'fetch_event_types',
      'include_custom_profile_fields',
      'local_id',
      'message_ids',
      'propagate_mode',
    ),
  ],
  [
    'tells little at registration',
    onSuccess(/^POST \/register/, ({ queue_id, last_event_id }) => success({ queue_id, last_event_id })),
  ],
  [
    'renders nothing',
    replacing(
      /./,
      /"(rendered|content|rendered_content|rendered_description)":"[^"]*(\\"[^"]*)*"/g,
      '"$1":"<p></p>"',
    ),
  ],
  [
    'sets every flag',
    replacing(/./, /"flags":\[[^\]]*\]/g, '"flags":["read","starred","mentioned","collapsed"]'),
  ],
  [
    'calls everybody a bot without a name',
    replacing(/^GET \/users/, /"(is_bot|full_name|role|user_id)":("[^"]*"|[^,}]*)/g, '"$1":null'),
  ],
  [
    'knows one code for every refusal',
    onRefusal((answer) => ({ ...answer, body: { ...answer.body, code: 'OTHER' } })),
  ],
  ['loses events', onSuccess(/^GET \/events/, (body) => ({ ...body, events: [] }))],
  [
    'says that it is done, and does nothing',
    {
      instead: ({ route }) =>
        WITHOUT_ANSWER.test(route) && !route.startsWith('DELETE /events') ? success() : null,
    },
  ],
  ['refuses nothing', onRefusal((answer) => ({ ...answer, status: 200, body: success() }))],
  ['answers polls with nothing', onSuccess(/^GET \/events/, () => success())],
  [
    'answers with less than was asked for',
    onSuccess(
      /^(GET (?!\/events)|POST \/(fetch|messages|users\/me|mark|user_uploads|realm|drafts|bots|invites|scheduled|saved))/,
      () => success(),
    ),
  ],
];
