import { describe, expect, it } from 'vitest';
import { deviceWords, isHandheld } from './devices.ts';

const agents = {
  'Firefox on macOS': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Chrome on Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Edge on Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
  'Safari on iPhone':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Chrome on Android':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  'Chrome on Linux':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0 Safari/537.36',
  curl: 'curl/8.9.1',
};

describe('a device', () => {
  it.each([null, '', 'Mozilla/5.0', '<script>alert(1)</script>', 'Your bank, call +1 555'])(
    'that says nothing known is unknown, and nothing it says is repeated: %j',
    (agent) => expect(deviceWords(agent)).toBe('Unknown device'),
  );
  it.each(Object.entries(agents))('is called %s', (words, agent) => expect(deviceWords(agent)).toBe(words));
  it('is held in a hand or not', () => {
    expect(Object.values(agents).filter(isHandheld)).toHaveLength(2);
    expect(isHandheld(null)).toBe(false);
  });
});
