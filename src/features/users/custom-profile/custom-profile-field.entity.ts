import { Column, Entity, ForeignKey, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** A profile field that the organization defined. */
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

  /** JSON object for lists of options and external accounts, else empty. */
  @Column('text', { name: 'field_data' })
  fieldData!: string;

  @Column('boolean', { name: 'is_required' })
  isRequired!: boolean;

  @Column('boolean', { name: 'is_editable_by_user' })
  isEditableByUser!: boolean;

  @Column('boolean', { name: 'is_in_profile_summary' })
  isInProfileSummary!: boolean;

  /** Whether clients find people by what they entered here. */
  @Column('boolean', { name: 'is_used_for_matching' })
  isUsedForMatching!: boolean;
}

/** What one person entered in one custom profile field. */
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

  /** HTML, only for field types that support Markdown. */
  @Column('text', { name: 'rendered_value', nullable: true })
  renderedValue!: string | null;
}
