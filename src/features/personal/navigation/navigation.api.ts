import type { NavigationView } from '../personal.entity';
import { ApiError, refusal } from '../../../platform/errors/api-error';
import { defineEvent } from '../../../platform/events/server-event';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text, visibleName } from '../../../platform/http/parameters/text';

/** A view in the left sidebar as clients see it. */
export interface NavigationViewWire {
  /** What follows `#` in the address. */
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
  /** Where the view is: what follows `#` in the address, such as `narrow/is/alerted`. */
  @Parameter(fragment) fragment!: string;

  /** Whether it is always shown. */
  @Parameter(json.boolean()) is_pinned!: boolean;

  /** What the person calls it: required, but for built-in views, which have none. */
  @Parameter(name, { optional: true }) name?: string;
}

/** Parameters of `PATCH /navigation_views/{fragment}`. */
export class UpdateNavigationViewDto {
  /** Where the view is: what follows `#` in the address. Slashes may stand as they are. */
  @PathParameter(fragment) fragment!: string;

  /** Whether it is always shown. */
  @Parameter(json.boolean(), { optional: true }) is_pinned?: boolean;

  /** What the person calls it; built-in views have no name. */
  @Parameter(name, { optional: true }) name?: string;
}

/** Parameters of `DELETE /navigation_views/{fragment}`. */
export class RemoveNavigationViewDto {
  /** Where the view is: what follows `#` in the address. Slashes may stand as they are. */
  @PathParameter(fragment) fragment!: string;
}

/** A view was added to the receiver's left sidebar. */
export const navigationViewAdded = defineEvent<{ navigation_view: NavigationViewWire }>(
  'navigation_view',
  'add',
);

/** A view in the receiver's left sidebar changed: what of it, under the names that its record has. */
export const navigationViewUpdated = defineEvent<{
  fragment: string;
  data: Partial<Pick<NavigationViewWire, 'is_pinned' | 'name'>>;
}>('navigation_view', 'update');

/** A view is gone from the receiver's left sidebar. */
export const navigationViewRemoved = defineEvent<{ fragment: string }>('navigation_view', 'remove');

/** A built-in view is to get a name, which clients give it. */
export class BuiltInViewHasName extends refusal('Built-in views cannot have a custom name.') {}

/** A view that is not built in has no name. */
export class CustomViewNameless extends refusal('Custom views must have a valid name.') {}

/** The person has a view with that fragment or name. */
export class NavigationViewExists extends refusal('Navigation view already exists.') {}

/** The person has no view with that fragment. */
export class NavigationViewNotFound extends refusal('Navigation view does not exist.', { status: 404 }) {}

/** The person has as many views as anybody may have. */
export class TooManyNavigationViews extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} navigation views.`);
  }
}

/** Parameters of `POST /users/me/onboarding_steps`. */
export class MarkOnboardingStepDto {
  /** Name of the step, as in `onboarding_steps` of `POST /register`. */
  @Parameter(text({ maxLength: 100 })) onboarding_step!: string;

  /** Refused: it asks for a reminder of a video, and there is none. */
  @Parameter(json.integer({ min: 0 }), { optional: true })
  schedule_navigation_tour_video_reminder_delay?: number;
}

/** What is still to be shown to a person. */
export interface OnboardingStepWire {
  /** Whether it is told once, or done once. */
  readonly type: 'one_time_notice' | 'one_time_action';
  readonly name: string;
}

/** The receiver has seen or done a step; the list has all that are left. */
export const onboardingStepsLeft = defineEvent<{ onboarding_steps: readonly OnboardingStepWire[] }>(
  'onboarding_steps',
);

/** There is no step of that name. */
export class UnknownOnboardingStep extends ApiError {
  constructor(name: string) {
    super(`Unknown onboarding_step: ${name}`);
  }
}

/** A reminder of the tour is asked for with another step. */
export class NoTourReminder extends refusal(
  'schedule_navigation_tour_video_reminder_delay is not supported: this server has no navigation tour video',
) {}
