import { levelChange } from '../level-change';
import { newStateKeys } from '../keys';

export const change369TourVideo = levelChange(
  369,
  'Zulip 10.0, feature level 369: `navigation_tour_video_url` is new.',
  newStateKeys('navigation_tour_video_url'),
);
