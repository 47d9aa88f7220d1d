import { brotliDecompressSync } from 'node:zlib';

const LARGE =
  'G7EEIGYIj3UBxPIChQc47FQLywLMvkgMb/dZA7lANlAcTVTHPNsV9RkiknMP+S97CwBA7RIY5gsFwy4AAOAFuwjI4gVDpfT46UYG' +
  'TGNwc/L0B/aHoSbAMcKePo4gKssDBECQ/woJQBqlTDDs7ZKCRiDJe2dErFAwvwBvuL5woNcqxhT29fcFXlyRo88VGwoWUIqT2ycS' +
  'wwG+zgB05JWuAvgH4FC4QkJXABRS2NcLAh4BESkOEan96cx6OUGBhAATU+6zgFjacC7+LizYgkZA97iEcfP///3ObCyw3Vnn/E7h' +
  'lAxpkJvuCE4sZal/TVdtZ72zPcG8e1Wg8IVZb+jZRvFTu8jMu19hxGmJiJrVEuCj1pW8LQ2pz/8/BCNYOZI7E8sk+j/p3iJ71R9p' +
  '7J9v1/ahYs1QNL/uzfuyG7yzruz4J5ZJhy/SNBh/bC++8d1nxY3+SzoXEeQ/OiZ3VfhIrpo/PwdvF4X8LIXHKZ5FBF8pTOdLm3e8' +
  'Gt/rRgv9NyuTvTAtN88V89xn5eL+gpfuhwZZ9G/vaOWKH/Np6K1m6mq7aQw1z//9zOVrSPr8tiZPP7oE8aS18Or/g0IjrAiyXxVl' +
  'LZPexB3c+FE6wr9hzEWVnZvCg85iL1IqSBbqf2LNWpz7aFLpvfivdIK4lA16QVnr9JKwr7n7+l7Y4jUy/tzhbJcNVfcPzdIgnc/D' +
  '8hUvGeiSsUayB1md3MYG9EsSWoqfB4q6YL7CFs+Dgv/Ta1DA3Q639+pmUwYqa/yUy2GfFZWPiE131pVNWf4xGchexdqcl9h/ow8S' +
  '8MD7TfmNhpO3UrBVkIA1ewwWbGCiyNdGYHpRXgnFiM8jm5avcMtnFkViuXjc9cspCq74zm08a0LMrtkZvlPJ/lWSYVs78IPk0OsW' +
  'D0ZN8gE=';

/**
 * A file of 1,202 bytes that decodes to 6,300 by 6,300 pixels of one color, for which its decoder takes 720 MB.
 * @param said the side that its header claims, in pixels
 */
export function largeAvif(said = 6300): Buffer {
  const file = brotliDecompressSync(Buffer.from(LARGE, 'base64'));
  const box = file.indexOf('ispe') + 8;
  file.writeUInt32BE(said, box);
  file.writeUInt32BE(said, box + 4);
  return file;
}
