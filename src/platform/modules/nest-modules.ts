import type { Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants';

/** The Nest module of a module, and all that it imports, since controllers may stand in any of them. */
export function nestModulesOf(module: Type): Type[] {
  const found = new Set<Type>();
  const add = (part: unknown): void => {
    if (typeof part !== 'function' || found.has(part as Type)) return;
    found.add(part as Type);
    const imports = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, part) ?? []) as unknown[];
    // One that is made for the occasion names its class; what else there may be, Nest refuses.
    for (const each of imports) add((each as { module?: unknown } | null)?.module ?? each);
  };
  add(module);
  return [...found];
}
