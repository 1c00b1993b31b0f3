import classes from './brand-tag.module.css';

export function BrandTag({ category }: { category: string }) {
  return <span className={classes.tag}>{category}</span>;
}
