import { levelChange } from '../level-change';

export const change405Sound = levelChange(
  405,
  'Zulip 11.0, feature level 405: Uploaded sound that is written as an image has a player.',
  { html: soundAsLink },
);

const PLAYER = /<audio [^>]*src="([^"]*)"[^>]*title="([^"]*)"[^>]*><\/audio>/g;

function soundAsLink(html: string): string {
  return html.replace(PLAYER, '<a href="$1">$2</a>');
}
