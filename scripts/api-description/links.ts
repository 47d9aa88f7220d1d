import type { OpenApiDocument, OperationLink } from '../../src/features/web/api-description/openapi';

/** Operations that use a value of another operation's response: the location of the value, and the parameter. */
const LINKS: Readonly<
  Record<string, readonly [value: string, parameter: string, targets: readonly string[]][]>
> = {
  'POST /api/v1/messages': [
    [
      'id',
      'message_id',
      [
        'GET /api/v1/messages/{message_id}',
        'PATCH /api/v1/messages/{message_id}',
        'DELETE /api/v1/messages/{message_id}',
        'POST /api/v1/messages/{message_id}/reactions',
        'GET /api/v1/messages/{message_id}/history',
      ],
    ],
  ],
  'POST /api/v1/register': [
    ['queue_id', 'queue_id', ['GET /api/v1/events']],
    ['last_event_id', 'last_event_id', ['GET /api/v1/events']],
  ],
  'POST /api/v1/users': [
    ['user_id', 'user_id', ['GET /api/v1/users/{user_id}', 'DELETE /api/v1/users/{user_id}']],
  ],
  'POST /api/v1/bots': [
    [
      'user_id',
      'bot_id',
      ['PATCH /api/v1/bots/{bot_id}', 'GET /api/v1/bots/{bot_id}/api_key', 'DELETE /api/v1/bots/{bot_id}'],
    ],
  ],
  'POST /api/v1/channels/create': [
    ['id', 'stream_id', ['GET /api/v1/streams/{stream_id}', 'DELETE /api/v1/streams/{stream_id}']],
  ],
  'POST /api/v1/channel_folders/create': [
    ['channel_folder_id', 'channel_folder_id', ['PATCH /api/v1/channel_folders/{channel_folder_id}']],
  ],
  'POST /api/v1/user_groups/create': [
    [
      'group_id',
      'user_group_id',
      ['PATCH /api/v1/user_groups/{user_group_id}', 'GET /api/v1/user_groups/{user_group_id}/members'],
    ],
  ],
  'POST /api/v1/scheduled_messages': [
    [
      'scheduled_message_id',
      'scheduled_message_id',
      [
        'PATCH /api/v1/scheduled_messages/{scheduled_message_id}',
        'DELETE /api/v1/scheduled_messages/{scheduled_message_id}',
      ],
    ],
  ],
  'POST /api/v1/reminders': [['reminder_id', 'reminder_id', ['DELETE /api/v1/reminders/{reminder_id}']]],
  'POST /api/v1/drafts': [
    ['ids/0', 'draft_id', ['PATCH /api/v1/drafts/{draft_id}', 'DELETE /api/v1/drafts/{draft_id}']],
  ],
  'POST /api/v1/saved_snippets': [
    [
      'saved_snippet_id',
      'saved_snippet_id',
      ['PATCH /api/v1/saved_snippets/{saved_snippet_id}', 'DELETE /api/v1/saved_snippets/{saved_snippet_id}'],
    ],
  ],
  'POST /api/v1/realm/profile_fields': [
    [
      'id',
      'field_id',
      ['PATCH /api/v1/realm/profile_fields/{field_id}', 'DELETE /api/v1/realm/profile_fields/{field_id}'],
    ],
  ],
  'POST /api/v1/realm/filters': [
    [
      'id',
      'filter_id',
      ['PATCH /api/v1/realm/filters/{filter_id}', 'DELETE /api/v1/realm/filters/{filter_id}'],
    ],
  ],
  'POST /api/v1/realm/playgrounds': [
    ['id', 'playground_id', ['DELETE /api/v1/realm/playgrounds/{playground_id}']],
  ],
  'POST /api/auth/users': [
    [
      'id',
      'user_id',
      [
        'GET /api/auth/users/{user_id}',
        'PATCH /api/auth/users/{user_id}',
        'DELETE /api/auth/users/{user_id}',
      ],
    ],
  ],
};

type Paths = OpenApiDocument['paths'];

/**
 * Adds links from operations that create something to those that read, change and delete it; API testing tools follow
 * them.
 * @throws Error for an unknown operation, response or parameter
 */
export function addLinks(paths: Paths): void {
  for (const [name, links] of Object.entries(LINKS)) {
    const success = Object.entries(operationAt(paths, name).responses).find(([status]) => /^2/.test(status))!;
    const added: Record<string, OperationLink> = {};
    for (const [value, parameter, targets] of links) {
      for (const target of targets) {
        const { operationId, parameters } = operationAt(paths, target);
        const taken = parameters.find((each) => each.name === parameter);
        if (!taken) throw new Error(`${target} takes no ${parameter}.`);
        const known = added[operationId]?.parameters;
        const expression = `$response.body#/${value}`;
        added[operationId] = {
          operationId,
          parameters: { ...known, [`${taken.in}.${parameter}`]: expression },
        };
      }
    }
    operationAt(paths, name).responses[success[0]] = { ...success[1], links: added };
  }
}

function operationAt(paths: Paths, name: string) {
  const [verb, path] = name.split(' ') as [string, string];
  const operation = paths[path]?.[verb.toLowerCase()];
  if (!operation) throw new Error(`${name} is not described.`);
  return operation;
}
