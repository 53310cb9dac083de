"""The same pipeline with OpenCV: reads two paths a line, writes wall and processor milliseconds and similarity."""
import sys
import time

import cv2
import numpy

detector_file, recogniser_file, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
cv2.setNumThreads(threads)
detector = cv2.FaceDetectorYN.create(detector_file, "", (320, 320), 0.6, 0.3, 5000)
recogniser = cv2.FaceRecognizerSF.create(recogniser_file, "")


def embed(data):
    image = cv2.imdecode(numpy.frombuffer(data, numpy.uint8), cv2.IMREAD_COLOR)
    height, width = image.shape[:2]
    scale = min(1, 640 / max(width, height))
    if scale < 1:
        size = (round(width * scale), round(height * scale))
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    detector.setInputSize((image.shape[1], image.shape[0]))
    faces = detector.detect(image)[1]
    certain = [face for face in faces if face[14] >= 0.9]
    face = max(certain if certain else faces, key=lambda item: item[2] * item[3])
    return recogniser.feature(recogniser.alignCrop(image, face)).copy()


print(cv2.__version__, flush=True)
for line in sys.stdin:
    first, second = (open(path, "rb").read() for path in line.rstrip("\n").split("\t"))
    started, used = time.perf_counter(), time.process_time()
    a, b = embed(first), embed(second)
    similarity = recogniser.match(a, b, cv2.FaceRecognizerSF_FR_COSINE)
    wall, processor = time.perf_counter() - started, time.process_time() - used
    print(wall * 1000, processor * 1000, similarity, flush=True)
