import { levelChange } from '../level-change';
import { newPersonalSettings } from '../settings';

export const change245InformationDensity = levelChange(
  245,
  'Zulip 9.0, feature level 245: The personal settings `web_font_size_px` and `web_line_height_percent` are new.',
  newPersonalSettings('web_font_size_px', 'web_line_height_percent'),
);
