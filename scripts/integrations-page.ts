import type { Integration } from '../src/features/integrations/integrations.module';
import { INTEGRATIONS } from '../src/features/integrations/incoming-webhooks/services';

const INTRODUCTION = `# Integrations

Many services can call an address when something happens there. With the address of a bot they write into Parley by themselves:

\`\`\`text
https://chat.example.com/api/v1/external/github?api_key=KEY&stream=builds
\`\`\`

A bot of the kind "incoming webhook" is enough: make one in a client or the console, or with \`POST /bots\` and \`bot_type=2\`.
\`KEY\` is its API key. It writes where it may write, like any other bot; a private channel has to have it among its subscribers.

| in the address | |
| --- | --- |
| \`api_key\` | Key of the bot. Keys of people are refused |
| \`stream\` | Name or ID of the channel. Without it, the owner of the bot gets direct messages |
| \`topic\` | In place of the topic that the integration chooses, such as that of an issue |
| \`only_events\` | JSON list of events that are wanted, such as \`["push*","release"]\`. \`*\`, \`?\` and \`[a-z]\` stand for other characters |
| \`exclude_events\` | JSON list of events that are not wanted |

What goes in an address has to be encoded for it: \`stream=two%20words\`. An event that is not known here is answered with status 200 and
the code \`UNSUPPORTED_WEBHOOK_EVENT_TYPE\`, so that the service does not send it again; what is not of the service, with 400. The owner of
the bot hears of a channel that does not exist, and of calls without the header that says what happened.

What others wrote is shown as they wrote it and does nothing: it mentions nobody, is no command, and does not end the quotation or the
block of code that it stands in. [Modules](modules.md) add further services.

<!-- Generated from src/features/integrations/incoming-webhooks/services by \`npm run docs\`. -->
`;

/** The text of `docs/integrations.md`, from what the integrations say of themselves. */
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
    ...options.map((option) => `- \`${option.name}\` in the address: ${option.about}`),
    ...(list === undefined && options.length === 0 ? [] : ['']),
  ].join('\n');
}
