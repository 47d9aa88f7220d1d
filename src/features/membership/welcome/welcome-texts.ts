import { escapeMarkdown, fenceAround, HELP_PAGES } from '../../messages/messages.module';

/** Texts of the welcome bot, in Markdown. */

/** Answers by keyword. The bot lists the first keyword of each in its help text. */
const ANSWERS: readonly { readonly words: readonly string[]; readonly answer: string }[] = [
  {
    words: ['apps', 'app'],
    answer:
      'There are [apps](https://zulip.com/apps/) for mobile and desktop. When an app asks for your organization URL, enter the ' +
      'URL of this server.',
  },
  {
    words: ['profile'],
    answer: `Your [profile](${HELP_PAGES}/edit-your-profile) tells others who you are. Add a picture and a short description in your settings.`,
  },
  {
    words: ['theme'],
    answer: `In your settings, you can [choose a light or dark theme](${HELP_PAGES}/dark-theme), or match your device.`,
  },
  {
    words: ['channels', 'channel', 'streams', 'stream'],
    answer: `A [channel](${HELP_PAGES}/introduction-to-channels) is for a team, project or subject. Subscribers receive its messages.`,
  },
  {
    words: ['topics', 'topic'],
    answer: `A [topic](${HELP_PAGES}/introduction-to-topics) is one conversation in a channel. Start a new topic when you change the subject.`,
  },
  {
    words: ['message formatting', 'formatting'],
    answer: `Messages are written in [Markdown](${HELP_PAGES}/format-your-message-using-markdown): \`**bold**\` becomes **bold**, and \`*italic*\` becomes *italic*.`,
  },
  {
    words: ['keyboard shortcuts', 'keyboard', 'shortcuts'],
    answer: `[Keyboard shortcuts](${HELP_PAGES}/keyboard-shortcuts) let you work without a mouse. Press \`?\` in the web app to see them.`,
  },
  {
    words: ['help', '?'],
    answer: `Start with the [getting started guide](${HELP_PAGES}/getting-started-with-zulip), or browse the [help center](${HELP_PAGES}/).`,
  },
];

/** Keywords that the bot knows. */
const KNOWN_WORDS = ANSWERS.map(({ words }) => `\`${words[0]}\``).join(', ');

/** The answer to anything else. */
export const NOT_UNDERSTOOD = `I’m a bot, and I don’t understand that. You can ask me about: ${KNOWN_WORDS}.`;

/** The first message to a new user. @param isAdministrator whether the user administers the organization */
export function greeting(organization: string, isAdministrator: boolean): string {
  const lines = [
    `Hello, and welcome to ${escapeMarkdown(organization)}! :wave:`,
    '',
    `* New to Zulip-style chat? [See how it works](${HELP_PAGES}/getting-started-with-zulip).`,
    ...(isAdministrator
      ? [`* You are an administrator: [see how to bring your team on board](${HELP_PAGES}/moving-to-zulip).`]
      : []),
    `* I’m a bot. Send me one of these words to learn more: ${KNOWN_WORDS}.`,
  ];
  return lines.join('\n');
}

/** Quotes the welcome text of the organization or of the invitation. */
export function customText(organization: string, text: string): string {
  const fence = fenceAround(text);
  return `A message from the administrators of ${escapeMarkdown(organization)}:\n\n${fence}quote\n${text}\n${fence}`;
}

/** The answer to a message, or undefined if the bot does not understand it. */
export function answerTo(message: string): string | undefined {
  const asked = message.trim().toLowerCase();
  return ANSWERS.find(({ words }) => words.includes(asked))?.answer;
}
