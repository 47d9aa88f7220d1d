import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  BuiltInViewHasName,
  CustomViewNameless,
  navigationViewAdded,
  NavigationViewExists,
  NavigationViewNotFound,
  navigationViewRemoved,
  navigationViewUpdated,
  navigationViewWire,
  type NavigationViewWire,
  onboardingStepsLeft,
  type OnboardingStepWire,
  TooManyNavigationViews,
  UnknownOnboardingStep,
} from './navigation.api';
import { NavigationView, OnboardingStep } from '../personal.entity';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import type { ReadRepository } from '../../../platform/database/read-source';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { AccountDirectory, personalDataRemoved } from '../../users/users.module';

/** Views that are built into clients, which name them. They have a row only if the owner changed them. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
]);

/** Maximum number of views per person; all of them are part of the initial state. */
const MAX_VIEWS = 500;

/** Stores the views in people's left sidebars. */
@Injectable()
export class NavigationViewsService {
  constructor(
    @InjectRepository(NavigationView) private readonly views: ReadRepository<NavigationView>,
    private readonly transactions: TransactionService,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('navigation_views', async (db, { reader }) => ({
        navigation_views: reader
          ? (await viewsOf(db.repository(NavigationView), reader.userId)).map(navigationViewWire)
          : [],
      })),
    );
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(NavigationView).delete({ userId });
    });
  }

  /** The caller's views, oldest first. */
  async list(actor: Actor): Promise<NavigationViewWire[]> {
    return (await viewsOf(this.views, actor.userId)).map(navigationViewWire);
  }

  /** @throws BuiltInViewHasName, CustomViewNameless, NavigationViewExists, TooManyNavigationViews */
  async add(actor: Actor, view: Pick<NavigationView, 'fragment' | 'isPinned' | 'name'>): Promise<void> {
    const isBuiltIn = BUILT_IN.has(view.fragment);
    if (isBuiltIn && view.name) throw new BuiltInViewHasName();
    if (!isBuiltIn && !view.name) throw new CustomViewNameless();
    await this.change(actor, async (tx, views) => {
      const isTaken = (other: NavigationView) =>
        other.fragment === view.fragment || hasName(other, view.name);
      if (views.some(isTaken)) throw new NavigationViewExists();
      if (views.length >= MAX_VIEWS) throw new TooManyNavigationViews(MAX_VIEWS);
      const added = await tx
        .repository(NavigationView)
        .save({ ...view, name: view.name || null, userId: actor.userId });
      tx.emit(
        navigationViewAdded({ navigation_view: navigationViewWire(added) }),
        Audience.of([actor.userId]),
      );
    });
  }

  /**
   * @param changed keys of the record; the event is emitted even if it is empty
   * @throws BuiltInViewHasName, CustomViewNameless, NavigationViewExists even for the view's current name,
   * NavigationViewNotFound
   */
  async update(
    actor: Actor,
    fragment: string,
    changed: Partial<Pick<NavigationViewWire, 'is_pinned'> & { name: string }>,
  ): Promise<void> {
    const { is_pinned: isPinned, name } = changed;
    if (BUILT_IN.has(fragment) && name) throw new BuiltInViewHasName();
    if (!BUILT_IN.has(fragment) && name === '') throw new CustomViewNameless();
    await this.change(actor, async (tx, views) => {
      if (views.some((view) => hasName(view, name))) throw new NavigationViewExists();
      const view = viewAt(views, fragment);
      if (isPinned !== undefined) view.isPinned = isPinned;
      if (name) view.name = name;
      await tx.repository(NavigationView).save(view);
      const data = { ...changed, ...(name === '' && { name: null }) };
      tx.emit(navigationViewUpdated({ fragment, data }), Audience.of([actor.userId]));
    });
  }

  /** @throws NavigationViewNotFound */
  async remove(actor: Actor, fragment: string): Promise<void> {
    await this.change(actor, async (tx, views) => {
      await tx.repository(NavigationView).delete({ id: viewAt(views, fragment).id });
      tx.emit(navigationViewRemoved({ fragment }), Audience.of([actor.userId]));
    });
  }

  /** Runs work on a user's views, locked against other changes. */
  private async change(
    { userId }: Actor,
    work: (tx: Transaction, views: NavigationView[]) => Promise<void>,
  ): Promise<void> {
    await this.transactions.runExclusive(async (tx) =>
      work(tx, await viewsOf(tx.repository(NavigationView), userId)),
    );
  }
}

function viewsOf(views: ReadRepository<NavigationView>, userId: number): Promise<NavigationView[]> {
  return views.find({ where: { userId }, order: { id: 'ASC' } });
}

/** @throws NavigationViewNotFound */
function viewAt(views: readonly NavigationView[], fragment: string): NavigationView {
  const view = views.find((each) => each.fragment === fragment);
  if (!view) throw new NavigationViewNotFound();
  return view;
}

function hasName(view: NavigationView, name: string | null | undefined): boolean {
  return Boolean(name) && view.name === name;
}

/** All steps, in the order in which clients receive them. */
const STEPS: readonly OnboardingStepWire[] = [
  { type: 'one_time_notice', name: 'visibility_policy_banner' },
  { type: 'one_time_notice', name: 'intro_inbox_view_modal' },
  { type: 'one_time_notice', name: 'intro_recent_view_modal' },
  { type: 'one_time_notice', name: 'first_stream_created_banner' },
  { type: 'one_time_notice', name: 'jump_to_conversation_banner' },
  { type: 'one_time_notice', name: 'non_interleaved_view_messages_fading' },
  { type: 'one_time_notice', name: 'interleaved_view_messages_fading' },
  { type: 'one_time_notice', name: 'intro_resolve_topic' },
  { type: 'one_time_notice', name: 'navigation_tour_video' },
  { type: 'one_time_action', name: 'narrow_to_dm_with_welcome_bot_new_user' },
];

/**
 * Never shown: the banner is for accounts older than topic policies, the video does not exist, and accounts from before
 * the welcome bot have an empty conversation with it.
 */
const NEVER_SHOWN: ReadonlySet<string> = new Set([
  'visibility_policy_banner',
  'navigation_tour_video',
  'narrow_to_dm_with_welcome_bot_new_user',
]);

/** Tracks which onboarding steps clients still have to show to people. */
@Injectable()
export class OnboardingStepsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('onboarding_steps', async (db, { reader }) => ({
        onboarding_steps: reader ? await this.stepsLeft(db, reader.userId) : [],
        navigation_tour_video_url: null,
      })),
    );
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(OnboardingStep).delete({ userId });
    });
  }

  /** Marks a step as completed by the caller; idempotent. @throws UnknownOnboardingStep */
  async mark({ userId }: Actor, name: string): Promise<void> {
    if (!STEPS.some((step) => step.name === name)) throw new UnknownOnboardingStep(name);
    await this.transactions.run(async (tx) => {
      await tx.query('INSERT INTO onboarding_step (user_id, step) VALUES (?, ?) ON CONFLICT DO NOTHING', [
        userId,
        name,
      ]);
      const left = await this.stepsLeft(tx, userId);
      tx.emit(onboardingStepsLeft({ onboarding_steps: left }), Audience.of([userId]));
    });
  }

  private async stepsLeft(db: Queryable, userId: number): Promise<OnboardingStepWire[]> {
    if (this.accounts.byId(userId)?.isBot) return [];
    const rows = await db.repository(OnboardingStep).findBy({ userId });
    const seen = new Set(rows.map(({ step }) => step));
    return STEPS.filter(({ name }) => !seen.has(name) && !NEVER_SHOWN.has(name));
  }
}
