import { describe, expect, it } from 'vitest';
import { gainsAddress } from './addresses.ts';

describe('a new address in a text', () => {
  it.each([
    'https://evil.example/join',
    'HTTP://evil.example',
    'Join:https://evil.example',
    'éhttps://evil.example',
    'now at evil.example/join',
    'now at www.evil.example',
    'ask@evil.example',
    'mailto:ask@evil.example',
    '//evil.example/join',
    'https://2130706433/',
    'https://localhost',
    '[Join](https://evil.example)',
    '[Join](\nhttps://evil.example)',
    '[Join](<https://evil.example>)',
    '[Join][1]\n\n[1]: https://evil.example',
    '[Join](https&colon;//localhost)',
    '[Join](https&#58;&#x2f;&sol;localhost)',
    '[Join](https\\:\\/\\/evil\\.example)',
    'evil&period;example',
    '**https://evil.example**',
    '![](https://evil.example/pixel)',
    'https://known.example/a](https://evil.example)',
    'https://known.example@evil.example',
    '<https://known.example/a"@evil%2Eexample/login>',
    'https://known.example/b',
    'evil%2Eexample',
    'evil。example/login',
    'https://known.example.evil.example',
    '[Form](https://known.example<@2130706433/login)',
    '[Form](https://known.example\u00a0@2130706433/login)',
    '[Form](<https://known.example or @2130706433/login>)',
    '[Form](https://known.example<@evil%EF%BC%8Eexample/login)',
    '[Form](https://known.example/%65%76il.example)',
    'www.e\u00advil.c\u00adom/login',
    'w\u00adww.e\u00advil.c\u00adom',
    'e\u034fvil.c\u034fom',
    'e%C2%ADvil.c%C2%ADom',
    'e&#173;vil&#x2e;c&#173;om',
    'www.♥',
    'i♥.example',
    'evil.भारत',
    'http:/93.184.216.34/x',
    'http:/evil.भारत',
    'https:\\\\2130706433',
    'www.@2130706433',
    'ⓐwww&#46;1♥',
    'https://known.ex\u00adample/a',
    'https://known.example/ⓐ',
    'evil&#x2024;example',
    'now at 93.184.216.34/login',
    'ftp:93.184.216.34',
    '\\\\93.184.216.34\\share',
  ])('%s is found', (text) => {
    expect(gainsAddress(['See https://known.example/a and https://known.example', ''], ['', text])).toBe(true);
  });

  it.each([
    '',
    'Version 1.2.3, then 1.2.3.4.5',
    'Room 2, at 10:30. Bring 1.5 liters and/or water, e.g. two bottles...',
    'Done. Next: *numbers*, [x] goals & “plans” (50%) -- I/O',
    'See https://known.example/a.',
    '[Known](https://known.example/a)',
    'It says "https://known.example/a".',
    '(https://known.example/a), moved to another sentence',
    'The address begins with https: or www. I♥NY. Zero\u00adwidth.',
  ])('“%s” has none', (text) => {
    expect(gainsAddress(['See https://known.example/a', ''], [text])).toBe(false);
  });

  it('is found in linear time, whatever the text', () => {
    const begin = performance.now();
    for (const part of [
      'a',
      'a.',
      'a-',
      '.',
      '/',
      '://',
      '&#',
      '\\',
      '+',
      '1.',
      ')',
      'w',
      'www.',
      'http:',
      '♥',
      '♥.',
      '\u00ad',
      '%41',
    ])
      gainsAddress([], [part.repeat(60_000), `a.bc/${part.repeat(60_000)}x`]);
    expect(performance.now() - begin).toBeLessThan(2_000);
  });
});
