"""Run folders for tests, from months that `cases.months` describes."""

from ratingrun import periods, pipeline, publish, recorded, run_folder


def written(root, inputs):
    """The month of these inputs as a run folder below `root`."""
    month = pipeline.run(inputs)
    assert not month.stopped and month.rejected.empty, month.findings["text"].tolist()
    path = root / run_folder.name(inputs.period, inputs.rating_type)
    facts = {
        "period": inputs.period,
        "rating_type": inputs.rating_type,
        "list_date": str(periods.list_date(inputs.period)),
        "status": "published",
        "rule_books": list(month.books),
        "prior": None,
    }
    with publish.draft(path) as draft:
        draft.publish(month.frames, month.findings, facts, "summary\n", {})
    folder, found = recorded.open_folder(path)
    assert not len(found)
    return folder
