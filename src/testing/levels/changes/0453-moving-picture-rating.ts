import { levelChange } from '../level-change';
import { newStateKeys } from '../keys';
import { renamedOrganizationSetting } from '../settings';

export const change453MovingPictureRating = levelChange(
  453,
  'Zulip 12.0, feature level 453: `gif_rating_policy` and `gif_rating_policy_options` take the place of `giphy_rating` and `giphy_rating_options`.',
  renamedOrganizationSetting('giphy_rating', 'gif_rating_policy'),
  newStateKeys('gif_rating_policy_options'),
);
