import type { Integration } from '../src/features/integrations/integrations.module';
import { INTEGRATIONS } from '../src/features/integrations/incoming-webhooks/services';

const INTRODUCTION = `# Integrations

Many services can call an address when something happens. With a bot's address they post to Parley:

\`\`\`text
https://chat.example.com/api/v1/external/github?api_key=KEY&stream=builds
\`\`\`

Create an incoming webhook bot in a client, in the console, or with \`POST /bots\` and \`bot_type=2\`; \`KEY\` is its API key. Subscribe it to
private channels.

| in the address | |
| --- | --- |
| \`api_key\` | Key of the bot. Users' keys are refused |
| \`stream\` | Name or ID of the channel. Without it, the bot's owner gets direct messages |
| \`topic\` | Replaces the topic that the integration chooses |
| \`only_events\` | JSON list of wanted events, such as \`["push*","release"]\`, with the wildcards \`*\`, \`?\` and \`[a-z]\` |
| \`exclude_events\` | JSON list of unwanted events |
| others | Options of a service, listed with it |

URL-encode values: \`stream=two%20words\`. Unknown events get status 200 with code \`UNSUPPORTED_WEBHOOK_EVENT_TYPE\`, so that the service does not retry;
malformed ones get 400. The bot's owner is notified of a missing channel, and of calls without the event header.

Foreign text is shown as written and has no effect: it mentions no one, runs no command, and cannot end its quotation or code block.
[Modules](modules.md) add further services.

<!-- Generated from src/features/integrations/incoming-webhooks/services by \`npm run docs\`. -->
`;

/** The text of `docs/integrations.md`, generated from the integrations. */
export function integrationsPage(): string {
  return [INTRODUCTION, ...INTEGRATIONS.map(chapter)].join('\n');
}

function chapter({ name, aliases = [], displayName, about, events, options = [] }: Integration): string {
  const names = [name, ...aliases].map((each) => `\`${each}\``).join(' or ');
  const list = events?.map((event) => `\`${event}\``).join(', ');
  return [
    `## ${displayName}`,
    '',
    `${about} As ${names}.`,
    '',
    ...(list === undefined ? [] : [`- Events: ${list}`]),
    ...options.map((option) => `- \`${option.name}\`: ${option.about}`),
    ...(list === undefined && options.length === 0 ? [] : ['']),
  ].join('\n');
}
