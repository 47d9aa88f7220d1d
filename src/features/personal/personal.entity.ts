import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../users/users.module';

/** An alert word or phrase of a person. Later ones have higher IDs. */
@Entity('alert_word')
@Index('ix_alert_word_user_id_word_key', ['userId', 'wordKey'], { unique: true })
export class AlertWord {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** As entered, without surrounding white space. */
  @Column('text')
  word!: string;

  /** Unique per person: see wordKey. */
  @Column('text', { name: 'word_key' })
  wordKey!: string;
}

/** An account that a person has muted. */
@Entity('muted_user')
export class MutedUser {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'muted_user_id' })
  mutedUserId!: number;

  /** UNIX seconds. */
  @Column('bigint', { name: 'muted_at' })
  mutedAt!: number;
}

/** A view in a person's left sidebar: one of their own, or a changed built-in one. */
@Entity('navigation_view')
@Index('ix_navigation_view_user_id_fragment', ['userId', 'fragment'], { unique: true })
export class NavigationView {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** Location of the view: the part of the URL after `#`. */
  @Column('text')
  fragment!: string;

  @Column('boolean', { name: 'is_pinned' })
  isPinned!: boolean;

  /** Null for built-in views, which clients name. */
  @Column('text', { nullable: true })
  name!: string | null;
}

/** An onboarding step that a person has completed, which is not shown again. */
@Entity('onboarding_step')
export class OnboardingStep {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  /** Its name. */
  @PrimaryColumn('text')
  step!: string;
}

/** A text snippet for reuse in messages. */
@Entity('saved_snippet')
@Index('ix_saved_snippet_user_id', ['userId'])
export class SavedSnippet {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** Need not be unique. */
  @Column('text')
  title!: string;

  /** Markdown. */
  @Column('text')
  content!: string;

  /** UNIX seconds; editing does not change it. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
