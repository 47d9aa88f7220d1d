import { KEPT_BESIDE_PACKAGES, useKeptCode } from './kept-code';

const code = useKeptCode(KEPT_BESIDE_PACKAGES);

/** Caches the loaded code for the next start, while the server answers requests. */
export function keepProgram(): void {
  void code?.keepInPauses();
}
