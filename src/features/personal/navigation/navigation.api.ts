import type { NavigationView } from '../personal.entity';
import { ApiError, refusal } from '../../../platform/errors/api-error';
import { defineEvent } from '../../../platform/events/server-event';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text, visibleName } from '../../../platform/http/parameters/text';

/** A view in the left sidebar, as sent to clients. */
export interface NavigationViewWire {
  /** The part of the URL after `#`. */
  readonly fragment: string;
  readonly is_pinned: boolean;
  /** Null for built-in views. */
  readonly name: string | null;
}

/** The record of a view on the wire. */
export function navigationViewWire({ fragment, isPinned, name }: NavigationView): NavigationViewWire {
  return { fragment, is_pinned: isPinned, name };
}

const fragment = text({ trim: true, notBlank: true, maxLength: 1_000 });
const name = visibleName({ maxLength: 255 });

/** Parameters of `POST /navigation_views`. */
export class AddNavigationViewDto {
  /** Location of the view: the part of the URL after `#`, such as `narrow/is/alerted`. */
  @Parameter(fragment) fragment!: string;

  /** Whether it is always shown. */
  @Parameter(json.boolean()) is_pinned!: boolean;

  /** Name of the view: required, except for built-in views, which have none. */
  @Parameter(name, { optional: true }) name?: string;
}

/** Parameters of `PATCH /navigation_views/{fragment}`. */
export class UpdateNavigationViewDto {
  /** Location of the view: the part of the URL after `#`. Slashes need not be encoded. */
  @PathParameter(fragment) fragment!: string;

  /** Whether it is always shown. */
  @Parameter(json.boolean(), { optional: true }) is_pinned?: boolean;

  /** Name of the view; built-in views have none. */
  @Parameter(name, { optional: true }) name?: string;
}

/** Parameters of `DELETE /navigation_views/{fragment}`. */
export class RemoveNavigationViewDto {
  /** Location of the view: the part of the URL after `#`. Slashes need not be encoded. */
  @PathParameter(fragment) fragment!: string;
}

/** A view was added to the recipient's left sidebar. */
export const navigationViewAdded = defineEvent<{ navigation_view: NavigationViewWire }>(
  'navigation_view',
  'add',
);

/** A view in the recipient's left sidebar changed; contains the changed keys of its record. */
export const navigationViewUpdated = defineEvent<{
  fragment: string;
  data: Partial<Pick<NavigationViewWire, 'is_pinned' | 'name'>>;
}>('navigation_view', 'update');

/** A view was removed from the recipient's left sidebar. */
export const navigationViewRemoved = defineEvent<{ fragment: string }>('navigation_view', 'remove');

/** Built-in views cannot be named, because clients name them. */
export class BuiltInViewHasName extends refusal('Built-in views cannot have a custom name.') {}

/** Views that are not built in require a name. */
export class CustomViewNameless extends refusal('Custom views must have a valid name.') {}

/** The person already has a view with this fragment or name. */
export class NavigationViewExists extends refusal('Navigation view already exists.') {}

/** The person has no view with this fragment. */
export class NavigationViewNotFound extends refusal('Navigation view does not exist.', { status: 404 }) {}

/** The limit on views is reached. */
export class TooManyNavigationViews extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} navigation views.`);
  }
}

/** Parameters of `POST /users/me/onboarding_steps`. */
export class MarkOnboardingStepDto {
  /** Name of the step, as in `onboarding_steps` of `POST /register`. */
  @Parameter(text({ maxLength: 100 })) onboarding_step!: string;

  /** Refused: the time of a reminder to watch the tour video, which does not exist. */
  @Parameter(json.integer({ min: 0 }), { optional: true })
  schedule_navigation_tour_video_reminder_delay?: number;
}

/** A step that has not been shown to a person yet. */
export interface OnboardingStepWire {
  /** Whether it is a notice or an action. */
  readonly type: 'one_time_notice' | 'one_time_action';
  readonly name: string;
}

/** The recipient has completed a step; the list contains all remaining ones. */
export const onboardingStepsLeft = defineEvent<{ onboarding_steps: readonly OnboardingStepWire[] }>(
  'onboarding_steps',
);

/** There is no step with this name. */
export class UnknownOnboardingStep extends ApiError {
  constructor(name: string) {
    super(`Unknown onboarding_step: ${name}`);
  }
}

/** A reminder of the tour was requested for another step. */
export class NoTourReminder extends refusal(
  'schedule_navigation_tour_video_reminder_delay is not supported: this server has no navigation tour video',
) {}
