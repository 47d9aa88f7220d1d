import { Column, Entity, ForeignKey, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** A profile field defined by the organization. */
@Entity('custom_profile_field')
export class CustomProfileField {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text')
  name!: string;

  @Column('text')
  hint!: string;

  /** See custom-profile/field-kinds.ts. */
  @Column('integer')
  type!: number;

  @Column('integer')
  position!: number;

  /** JSON object for dropdown options and external accounts, otherwise empty. */
  @Column('text', { name: 'field_data' })
  fieldData!: string;

  @Column('boolean', { name: 'is_required' })
  isRequired!: boolean;

  @Column('boolean', { name: 'is_editable_by_user' })
  isEditableByUser!: boolean;

  @Column('boolean', { name: 'is_in_profile_summary' })
  isInProfileSummary!: boolean;

  /** Whether clients also search for people by this value. */
  @Column('boolean', { name: 'is_used_for_matching' })
  isUsedForMatching!: boolean;
}

/** One person's value of a custom profile field. */
@Entity('custom_profile_value')
export class CustomProfileValue {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => CustomProfileField)
  @PrimaryColumn('integer', { name: 'field_id' })
  fieldId!: number;

  @Column('text')
  value!: string;

  /** HTML; only for field types that support Markdown. */
  @Column('text', { name: 'rendered_value', nullable: true })
  renderedValue!: string | null;
}
