import { levelChange } from '../level-change';

/** A link to a message, with its channel, its topic and what it shows. */
const LINK = /<a class="message-link" href="([^"]*\/channel\/(\d+)[^"]*)\/near\/(\d+)">(.*?) @ 💬<\/a>/g;

export const change319LinksToMessages = levelChange(
  319,
  'Zulip 10.0, feature level 319: `#**channel>topic@id**` links to a message; before, to a topic of such a name.',
  { html: asTopics },
);

function asTopics(html: string): string {
  return html.replace(LINK, '<a class="stream-topic" data-stream-id="$2" href="$1.40$3">$4@$3</a>');
}
