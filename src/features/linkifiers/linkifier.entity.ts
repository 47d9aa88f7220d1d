import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A pattern that turns text of messages and topics into links. */
@Entity('linkifier')
@Index('ix_linkifier_pattern', ['pattern'], { unique: true })
export class Linkifier {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Those with lower numbers are tried first. */
  @Column('integer')
  position!: number;

  /** A regular expression in the dialect of RE2. */
  @Column('text')
  pattern!: string;

  /** Where the links lead (RFC 6570); its variables are the named groups of the pattern. */
  @Column('text', { name: 'url_template' })
  urlTemplate!: string;

  /** A text that the pattern matches. */
  @Column('text', { name: 'example_input', nullable: true })
  exampleInput!: string | null;

  /** How clients write the text again that a pasted address stands for. */
  @Column('text', { name: 'reverse_template', nullable: true })
  reverseTemplate!: string | null;

  /** Further addresses that clients recognize when they are pasted, as a JSON list. */
  @Column('text', { name: 'alternative_url_templates' })
  alternativeUrlTemplates!: string;
}

/** A site where clients offer to try the code of a code block. */
@Entity('playground')
@Index('ix_playground_language_name', ['language', 'name'], { unique: true })
export class Playground {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text')
  name!: string;

  /** As the code block names it. */
  @Column('text')
  language!: string;

  /** Where the code goes (RFC 6570); `code` is its only variable. */
  @Column('text', { name: 'url_template' })
  urlTemplate!: string;
}
