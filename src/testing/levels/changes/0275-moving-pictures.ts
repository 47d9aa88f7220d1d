import { levelChange } from '../level-change';
import { newPersonalSettings } from '../settings';

export const change275MovingPictures = levelChange(
  275,
  'Zulip 9.0, feature level 275: The personal setting `web_animate_image_previews` is new.',
  newPersonalSettings('web_animate_image_previews'),
);
