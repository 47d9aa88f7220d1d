import { escapeMarkdown, fenceAround, HELP_PAGES } from '../../messages/messages.module';

/** Texts of the welcome bot, in Markdown. */

/** What it answers, by the words to which it does, the first of which it names where it did not understand. */
const ANSWERS: readonly { readonly words: readonly string[]; readonly answer: string }[] = [
  {
    words: ['apps', 'app'],
    answer:
      'There are [apps](https://zulip.com/apps/) for phones and computers. Give them the address of this server when they ask ' +
      'for the address of your organization.',
  },
  {
    words: ['profile'],
    answer: `Your [profile](${HELP_PAGES}/edit-your-profile) tells the others who you are: add a picture and a few words in your settings.`,
  },
  {
    words: ['theme'],
    answer: `You can [choose a light or a dark theme](${HELP_PAGES}/dark-theme), or have it follow your device, in your settings.`,
  },
  {
    words: ['channels', 'channel', 'streams', 'stream'],
    answer: `A [channel](${HELP_PAGES}/introduction-to-channels) is for one group of people or one matter. Whoever subscribes to it gets its messages.`,
  },
  {
    words: ['topics', 'topic'],
    answer: `A [topic](${HELP_PAGES}/introduction-to-topics) is one conversation in a channel. Begin a new topic where you begin to talk of something else.`,
  },
  {
    words: ['message formatting', 'formatting'],
    answer: `Messages are written in [Markdown](${HELP_PAGES}/format-your-message-using-markdown): \`**bold**\` becomes **bold**, and \`*italic*\` becomes *italic*.`,
  },
  {
    words: ['keyboard shortcuts', 'keyboard', 'shortcuts'],
    answer: `With [keyboard shortcuts](${HELP_PAGES}/keyboard-shortcuts) you need no mouse. Press \`?\` in the web app to see them.`,
  },
  {
    words: ['help', '?'],
    answer: `The [guide for new people](${HELP_PAGES}/getting-started-with-zulip) is a good start, and there are [pages about everything else](${HELP_PAGES}/).`,
  },
];

/** What the bot can be asked about. */
const KNOWN_WORDS = ANSWERS.map(({ words }) => `\`${words[0]}\``).join(', ');

/** The answer to what it does not know. */
export const NOT_UNDERSTOOD = `I am a program, and this is more than I understand. You can ask me about: ${KNOWN_WORDS}.`;

/** The first message to somebody. @param isAdministrator whether they are to run the organization */
export function greeting(organization: string, isAdministrator: boolean): string {
  const lines = [
    `Hello, and welcome to ${escapeMarkdown(organization)}! :wave:`,
    '',
    `* New to this kind of chat? [Here is how it works](${HELP_PAGES}/getting-started-with-zulip).`,
    ...(isAdministrator
      ? [
          `* You can run this organization: [here is how to get everybody on board](${HELP_PAGES}/moving-to-zulip).`,
        ]
      : []),
    `* I am a bot, and answer when you send me one of these: ${KNOWN_WORDS}.`,
  ];
  return lines.join('\n');
}

/** What the people who run the organization, or whoever sent an invitation, have to say themselves. */
export function customText(organization: string, text: string): string {
  const fence = fenceAround(text);
  return `A word from the people who run ${escapeMarkdown(organization)}:\n\n${fence}quote\n${text}\n${fence}`;
}

/** The answer to a message, or undefined where the bot does not understand it. */
export function answerTo(message: string): string | undefined {
  const asked = message.trim().toLowerCase();
  return ANSWERS.find(({ words }) => words.includes(asked))?.answer;
}
