import type { Explanation, ReasonLink } from '../user-groups.hooks';

/** A part of the reasons, for programs. */
export interface ReasonStep {
  /** A permission, a group that holds it or lies in one that does, or a fact that decides. */
  readonly kind: 'setting' | 'group' | 'fact';
  /** The name of the setting or group, or the fact in words; null where people and groups were chosen one by one. */
  readonly name: string | null;
  /** Of a group that has a name. */
  readonly group_id: number | null;
}

/** Whether a person may do something, and why. */
export interface ExplanationWire {
  readonly allowed: boolean;
  /** What it rests on in words, from the setting down to the person. */
  readonly chain: readonly string[];
  /** The same for programs. */
  readonly steps: readonly ReasonStep[];
}

/** The same of one action among others. */
export interface ExplainedAction extends ExplanationWire {
  readonly action: string;
}

/** The record of an explanation. */
export function explanationWire({ allowed, chain }: Explanation): ExplanationWire {
  return { allowed, chain: chain.map(inWords), steps: chain.map(asStep) };
}

function inWords(link: ReasonLink): string {
  if (typeof link === 'string') return link;
  const { group } = link;
  return group ? `group ${group.id} (${group.name})` : 'people and groups chosen one by one';
}

function asStep(link: ReasonLink): ReasonStep {
  if (typeof link !== 'string') {
    return { kind: 'group', name: link.group?.name ?? null, group_id: link.group?.id ?? null };
  }
  return { kind: isSettingName(link) ? 'setting' : 'fact', name: link, group_id: null };
}

/** Facts are in words, which settings are not. */
function isSettingName(text: string): boolean {
  return /^can_[a-z_]+$/.test(text);
}
