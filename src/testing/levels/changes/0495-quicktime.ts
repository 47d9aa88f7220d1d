import { levelChange } from '../level-change';

const PLAYER =
  /<div class="message_inline_image message_inline_video"><a href="[^"]*\.mov"[^>]*>.*?<\/a><\/div>/gi;

export const change495Quicktime = levelChange(
  495,
  'Zulip 12.0, feature level 495: Uploaded `video/quicktime` has a player.',
  { html: (html) => html.replace(PLAYER, '') },
);
