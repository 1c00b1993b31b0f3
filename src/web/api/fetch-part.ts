// Loads parts of the sign-in page on demand. It has no router to catch a failed load.
import { ApiError } from './api-error.ts';

const words = 'This part of the page couldn’t be loaded. Check your connection and try again, or reload the page.';

/** Returns the module, or throws an ApiError with advice. The next call fetches again. */
export async function fetchPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    console.error('A part of the sign-in page didn’t load', error);
    throw new ApiError({ code: 'UNAVAILABLE', message: words, statusCode: 503 });
  }
}
